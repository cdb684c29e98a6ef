package dev.xsched.policy.builtin;

import java.util.Arrays;

/** The latest samples of something, at most so many of them. Immutable. */
final class Recent {
  private final int most;
  private final long[] samples; // the oldest first
  private final long[] sorted;

  private Recent(int most, long[] samples) {
    this.most = most;
    this.samples = samples;
    this.sorted = samples.clone();
    Arrays.sort(sorted);
  }

  static Recent ofMost(int most) {
    return new Recent(most, new long[0]);
  }

  Recent with(long sample) {
    int from = samples.length == most ? 1 : 0;
    long[] more = Arrays.copyOfRange(samples, from, samples.length + 1);
    more[more.length - 1] = sample;
    return new Recent(most, more);
  }

  /** The latest of them alone. */
  Recent latest(int count) {
    int from = Math.max(0, samples.length - count);
    return new Recent(most, Arrays.copyOfRange(samples, from, samples.length));
  }

  /** All but the latest. */
  Recent before(int count) {
    return new Recent(most, Arrays.copyOf(samples, Math.max(0, samples.length - count)));
  }

  /** The latest of all; there must be one. */
  long newest() {
    return samples[samples.length - 1];
  }

  /** That many of them are smaller, or as large. */
  long ranked(int rank) {
    return sorted[rank];
  }

  int count() {
    return samples.length;
  }

  /** The smallest sample that so many percent of all do not exceed; 0 if there is none. */
  long percentile(int percent) {
    int rank = (samples.length * percent + 99) / 100; // from 1
    return samples.length == 0 ? 0 : sorted[Math.max(0, rank - 1)];
  }

  long smallest() {
    return percentile(0);
  }

  long largest() {
    return percentile(100);
  }
}
