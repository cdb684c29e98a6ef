package dev.xsched.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * By how much one thing exceeds another where both were measured turn by turn: the ratio of their
 * medians, and between which bounds it lies with 95 % confidence (a bootstrap over the pairs, so
 * that what disturbed a pair disturbs both sides of it).
 */
record PairedRatio(double ratio, double low, double high) {
  private static final int RESAMPLES = 4_000;

  /** One measurement of each. */
  record Pair(double without, double with) {}

  static PairedRatio of(List<Pair> pairs) {
    if (pairs.isEmpty()) {
      throw new IllegalArgumentException("no pairs, so no ratio");
    }
    // Always the same sequence: the same measurements give the same bounds.
    Random random = new Random(1);
    double[] ratios = new double[RESAMPLES];
    Pair[] drawn = new Pair[pairs.size()];
    for (int i = 0; i < RESAMPLES; i++) {
      for (int k = 0; k < drawn.length; k++) {
        drawn[k] = pairs.get(random.nextInt(drawn.length));
      }
      ratios[i] = ratio(List.of(drawn));
    }
    Arrays.sort(ratios);
    return new PairedRatio(
        ratio(pairs), ratios[RESAMPLES * 25 / 1_000], ratios[RESAMPLES * 975 / 1_000]);
  }

  double percent() {
    return 100 * (ratio - 1);
  }

  private static double ratio(List<Pair> pairs) {
    return median(pairs.stream().mapToDouble(Pair::with).toArray())
        / median(pairs.stream().mapToDouble(Pair::without).toArray());
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
