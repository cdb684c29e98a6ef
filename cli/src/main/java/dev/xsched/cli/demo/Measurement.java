package dev.xsched.cli.demo;

import dev.xsched.cli.report.Samples;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What one run measured.
 *
 * @param latencies of the foreground's requests, in milliseconds
 * @param backgroundPerSecond tasks that the background completed; 0 where it was not there
 * @param contention the share of the time in which both had work outstanding at the device; empty
 *     where there was no background
 * @param hostDelay how much too late the host's own operating system woke the foreground, in
 *     milliseconds; empty on virtual time
 */
record Measurement(
    Configuration configuration,
    Samples latencies,
    double backgroundPerSecond,
    OptionalDouble contention,
    Optional<Samples> hostDelay) {
  /**
   * From this share on, the two are said to have competed for the device: half of the time that the
   * foreground, a fifth of the device's load, needs even when nothing is in its way.
   */
  static final double PROVEN_FROM = 0.1;

  boolean contentionProven() {
    return contention.isPresent() && contention.getAsDouble() >= PROVEN_FROM;
  }

  double p50() {
    return latencies.percentile(50);
  }

  double p99() {
    return latencies.percentile(99);
  }
}
