package dev.xsched.bench.judge;

import java.util.List;

/** Percentiles of times that belong to no request. */
public final class Samples {
  private Samples() {}

  /**
   * A percentile in ms over several repetitions. That of 99 needs enough samples.
   *
   * @param nanos one array for each repetition
   */
  public static Measure percentile(double percent, List<long[]> nanos, String what) {
    Measure measure =
        Measure.over(
            nanos.size(),
            Latencies.of(nanos).count(),
            drawn -> Latencies.of(drawn.stream().map(nanos::get).toList()).percentile(percent));
    return Runs.enough(measure, percent, what);
  }
}
