package dev.xsched.bench;

import dev.xsched.daemon.api.DaemonState.Histogram;
import java.util.Arrays;
import java.util.Map;

/**
 * How long something took, most of the time and at worst.
 *
 * @param count of samples
 */
record Times(long count, double p50Micros, double p99Micros, double maxMicros) {
  /** Of single samples: the smallest that so many percent of all do not exceed. */
  static Times of(long[] nanos) {
    if (nanos.length == 0) {
      return new Times(0, 0, 0, 0);
    }
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Times(
        sorted.length,
        sorted[rank(50, sorted.length) - 1] / 1e3,
        sorted[rank(99, sorted.length) - 1] / 1e3,
        sorted[sorted.length - 1] / 1e3);
  }

  /** Of what was counted from one histogram to the next: the upper bounds of the buckets. */
  static Times between(Histogram before, Histogram after) {
    return new Times(
        after.count() - before.count(),
        bound(before, after, 50) / 1e3,
        bound(before, after, 99) / 1e3,
        after.maxNanos() / 1e3);
  }

  /** As results of a record, each name with this before it. */
  void putInto(Map<String, Object> results, String name) {
    results.put(name + "_samples", count);
    results.put(name + "_p50_us", p50Micros);
    results.put(name + "_p99_us", p99Micros);
    results.put(name + "_max_us", maxMicros);
  }

  private static double bound(Histogram before, Histogram after, int percent) {
    long all = after.count() - before.count();
    if (all == 0) {
      return 0;
    }
    long seen = 0;
    for (int i = 0; i < after.bounds().size(); i++) {
      seen += after.counts().get(i) - before.counts().get(i);
      if (seen >= rank(percent, all)) {
        return after.bounds().get(i);
      }
    }
    return after.maxNanos();
  }

  private static int rank(int percent, long count) {
    return Math.toIntExact(Math.max(1, Math.ceilDiv(count * percent, 100)));
  }
}
