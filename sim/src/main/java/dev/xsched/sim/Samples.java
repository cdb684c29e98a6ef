package dev.xsched.sim;

import java.util.Arrays;

/** Measured times, to be asked for their distribution. Not thread-safe. */
public final class Samples {
  private long[] nanos = new long[256];
  private int count;
  private boolean sorted;

  public void add(long sampleNanos) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * count);
    }
    nanos[count++] = sampleNanos;
    sorted = false;
  }

  void clear() {
    count = 0;
  }

  public int count() {
    return count;
  }

  /** Returns the smallest sample that is not below that fraction of all, such as 0.99. */
  public long percentileNanos(double fraction) {
    if (count == 0) {
      throw new IllegalStateException("nothing was measured");
    }
    if (!sorted) {
      Arrays.sort(nanos, 0, count);
      sorted = true;
    }
    return nanos[nearestRank(fraction, count)];
  }

  /**
   * Returns which of so many values in order, from 0, is the smallest that at least that fraction
   * of them does not exceed. So a percentile is always a value that was measured.
   */
  private static int nearestRank(double fraction, int count) {
    // Rounded to a billionth first, because 0.29 times 100 is a little more than 29.
    double rank = Math.ceil(Math.rint(fraction * count * 1e9) / 1e9);
    return Math.clamp((int) rank - 1, 0, count - 1);
  }

  public double meanNanos() {
    return Arrays.stream(nanos, 0, count).average().orElse(0);
  }

  /** Returns all samples in a new array, the smallest first. */
  public long[] toSortedArray() {
    long[] copy = Arrays.copyOf(nanos, count);
    Arrays.sort(copy);
    return copy;
  }
}
