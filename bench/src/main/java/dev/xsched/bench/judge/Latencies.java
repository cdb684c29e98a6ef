package dev.xsched.bench.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Times of single requests, the smallest first, to be asked for their distribution in ms. */
public final class Latencies {
  private static final int CDF_POINTS = 200;
  private static final double NANOS_PER_MILLI = 1e6;

  private final long[] sorted;

  private Latencies(long[] sorted) {
    this.sorted = sorted;
  }

  /** Takes all of these together. */
  public static Latencies of(List<long[]> nanos) {
    long[] all = nanos.stream().flatMapToLong(Arrays::stream).toArray();
    Arrays.sort(all);
    return new Latencies(all);
  }

  public int count() {
    return sorted.length;
  }

  /** The smallest that so many percent of all do not exceed; so it was measured. NaN of nothing. */
  public double percentile(double percent) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    // Rounded to a billionth first, because 0.29 times 100 is a little more than 29.
    double rank = Math.ceil(Math.rint(percent / 100 * sorted.length * 1e9) / 1e9);
    return sorted[Math.clamp((int) rank - 1, 0, sorted.length - 1)] / NANOS_PER_MILLI;
  }

  public double min() {
    return percentile(0);
  }

  public double max() {
    return percentile(100);
  }

  public double mean() {
    return Arrays.stream(sorted).average().orElse(Double.NaN) / NANOS_PER_MILLI;
  }

  /** The deviation of the samples from their mean, as of a sample (n - 1). */
  public double deviation() {
    double mean = mean();
    double squares =
        Arrays.stream(sorted).mapToDouble(n -> Math.pow(n / NANOS_PER_MILLI - mean, 2)).sum();
    return Math.sqrt(squares / (sorted.length - 1));
  }

  /** How many are above that many ms. */
  public long above(double millis) {
    return Arrays.stream(sorted).filter(n -> n / NANOS_PER_MILLI > millis).count();
  }

  /** Pairs of ms and the fraction that is not above, thinned out but for both ends. */
  public List<List<Object>> cdf() {
    int points = Math.min(sorted.length, CDF_POINTS);
    List<List<Object>> cdf = new ArrayList<>();
    for (int i = 0; i < points; i++) {
      int at = points == 1 ? 0 : (int) ((long) i * (sorted.length - 1) / (points - 1));
      cdf.add(List.of(sorted[at] / NANOS_PER_MILLI, (at + 1) / (double) sorted.length));
    }
    return cdf;
  }
}
