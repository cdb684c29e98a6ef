package dev.xsched.cli.demo;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * When one side had work outstanding: intervals that follow one another. One thread adds to it;
 * others read when that one is done.
 */
final class BusyTimes {
  private long[] bounds = new long[1024];
  private int size;

  /** Adds an interval; it must not begin before the last one ended. */
  void add(long beginNanos, long endNanos) {
    if (size == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * size);
    }
    bounds[size++] = beginNanos;
    bounds[size++] = endNanos;
  }

  private long total() {
    long total = 0;
    for (int i = 0; i < size; i += 2) {
      total += bounds[i + 1] - bounds[i];
    }
    return total;
  }

  /** Returns the share of this side's busy time in which the other side was busy, too. */
  OptionalDouble shareWith(BusyTimes other) {
    long overlap = 0;
    int i = 0;
    int j = 0;
    while (i < size && j < other.size) {
      long begin = Math.max(bounds[i], other.bounds[j]);
      long end = Math.min(bounds[i + 1], other.bounds[j + 1]);
      overlap += Math.max(0, end - begin);
      if (bounds[i + 1] < other.bounds[j + 1]) {
        i += 2;
      } else {
        j += 2;
      }
    }
    long total = total();
    return total == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) overlap / total);
  }
}
