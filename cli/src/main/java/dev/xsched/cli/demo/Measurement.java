package dev.xsched.cli.demo;

import dev.xsched.cli.report.Samples;
import java.util.OptionalDouble;

/**
 * What one run measured.
 *
 * @param latencies of the foreground's requests, in milliseconds
 * @param backgroundPerSecond tasks that the background completed; 0 where it was not there
 * @param contention of the time in which the foreground had work outstanding, the share in which
 *     the background had, too; empty where there was no background
 */
record Measurement(
    Configuration configuration,
    Samples latencies,
    double backgroundPerSecond,
    OptionalDouble contention) {
  /** From this share on, the two are said to have competed for the device. */
  static final double PROVEN_FROM = 0.8;

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
