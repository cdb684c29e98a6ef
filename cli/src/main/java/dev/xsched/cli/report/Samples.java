package dev.xsched.cli.report;

import java.util.Arrays;

/** Measured values of one kind, kept whole: what is read from them is exact, not estimated. */
public final class Samples {
  /** Below this, the 99th percentile is one single unlucky value. */
  public static final int ENOUGH_FOR_P99 = 100;

  private final double[] sorted;

  private Samples(double[] sorted) {
    this.sorted = sorted;
  }

  public static Samples of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Samples(sorted);
  }

  /** Turns nanoseconds into milliseconds, the unit that people read latencies in. */
  public static Samples ofNanosInMillis(long[] nanos) {
    return of(Arrays.stream(nanos).mapToDouble(n -> n / 1e6).toArray());
  }

  public int size() {
    return sorted.length;
  }

  /** Returns the i-th smallest value, from 0. */
  public double get(int i) {
    return sorted[i];
  }

  /**
   * Returns the smallest value that at least that share of all values does not exceed (the nearest
   * rank, so it is always one that was measured).
   */
  public double percentile(double percent) {
    if (sorted.length == 0) {
      throw new IllegalStateException("no samples, so no percentile");
    }
    if (percent < 0 || percent > 100) {
      throw new IllegalArgumentException(
          "percentile " + percent + " is out of range; give 0 to 100");
    }
    return sorted[dev.xsched.sim.Samples.nearestRank(percent / 100, sorted.length)];
  }
}
