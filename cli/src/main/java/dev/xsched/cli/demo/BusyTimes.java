package dev.xsched.cli.demo;

import java.util.Arrays;

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

  /** Returns for how long both sides had work outstanding. */
  long overlapNanos(BusyTimes other) {
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
    return overlap;
  }
}
