package dev.xsched.sim;

import java.time.Duration;

/** When a client's tasks come. */
public sealed interface Arrivals {
  /** Closed loop: the next one when the last one has ended. */
  record Continuous() implements Arrivals {}

  /**
   * Open loop: by the clock, whether the last one has ended or not; latency counts from then.
   *
   * @param period on average
   * @param spread each interval is drawn evenly from the period plus or minus this fraction of it,
   *     so that no run locks step with whatever else is periodic
   */
  record Periodic(Duration period, double spread) implements Arrivals {}

  /**
   * Open loop: the logarithm of the intervals is normal, so there are bursts and pauses.
   *
   * @param mean of the intervals themselves
   * @param sigma of their logarithm
   */
  record LogNormal(Duration mean, double sigma) implements Arrivals {}

  /** As a camera: by the clock, and what comes while the last one is at work is dropped. */
  record Camera(Duration period) implements Arrivals {}
}
