package dev.xsched.daemon;

import dev.xsched.daemon.api.DaemonState;
import java.util.Arrays;
import java.util.List;

/** Counts times in buckets that double, from 1 us to 1 s. */
final class Latencies {
  private static final int BUCKETS = 21;
  private static final List<Long> BOUNDS = bounds();

  private final long[] counts = new long[BUCKETS + 1];
  private long count;
  private long sum;
  private long max;

  void add(long nanos) {
    long time = Math.max(0, nanos);
    long micros = (time - 1) / 1_000;
    int bucket = time == 0 ? 0 : Math.min(BUCKETS, 64 - Long.numberOfLeadingZeros(micros));
    counts[bucket]++;
    count++;
    sum += time;
    max = Math.max(max, time);
  }

  DaemonState.Histogram histogram() {
    return new DaemonState.Histogram(
        BOUNDS, Arrays.stream(counts).boxed().toList(), count, sum, max);
  }

  private static List<Long> bounds() {
    Long[] all = new Long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      all[i] = 1_000L << i;
    }
    return List.of(all);
  }
}
