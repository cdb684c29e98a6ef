package dev.xsched.bench.scene;

import java.time.Duration;

/** When a party's requests come. */
public sealed interface Pattern {
  /** Closed loop: the next request when the last one has ended. */
  record Continuous() implements Pattern {}

  /**
   * Open loop: by the clock, whether the last one has ended or not; latency counts from the
   * arrival.
   *
   * @param period mean time between two
   * @param spacing how the times between two vary
   * @param whenBusy what becomes of one that comes while the last one is at work
   */
  record Paced(Duration period, Spacing spacing, WhenBusy whenBusy) implements Pattern {
    /** As most clients do: waits for its turn. */
    public static Paced queued(Duration period, Spacing spacing) {
      return new Paced(period, spacing, WhenBusy.QUEUE);
    }
  }

  /** How intervals vary. */
  sealed interface Spacing {
    /** Not at all; all parties of a scene are in step. */
    record Even() implements Spacing {}

    /** Drawn evenly from the period plus or minus this fraction, so that nothing locks step. */
    record Around(double fraction) implements Spacing {}

    /** Drawn from a log-normal distribution with the period as its mean: bursts and pauses. */
    record LogNormal(double sigma) implements Spacing {}
  }

  /** What a client does with a request that it cannot begin at once. */
  enum WhenBusy {
    QUEUE,
    /** As a camera does with a frame: the next one is newer. */
    DROP
  }
}
