package dev.xsched.cli.demo;

import dev.xsched.bench.judge.Runs;
import java.time.Duration;

/**
 * What the two tasks do.
 *
 * @param period between two requests of the foreground
 * @param foreground in words: one request
 * @param background in words: one task; the next follows at once
 */
record Workload(Duration period, String foreground, String background) {
  /** Returns the shortest run, in whole seconds, that has enough requests for a P99. */
  long minimumSeconds() {
    // A tenth more than needed, because requests need not come at equal intervals.
    long nanos = Runs.P99_SAMPLES * period.toNanos() * 11 / 10;
    return Math.ceilDiv(nanos, 1_000_000_000L);
  }
}
