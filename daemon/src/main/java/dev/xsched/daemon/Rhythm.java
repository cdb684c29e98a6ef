package dev.xsched.daemon;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Requests that come evenly: by a clock, like the frames of a video, or whenever the one before has
 * ended and a fixed time has gone by. Medians are taken of everything, because some requests are
 * late, and hardly any is early.
 *
 * @param lastNanos when the last one came, or would have come if it was late
 * @param everyNanos the time from one to the next
 */
record Rhythm(long lastNanos, long everyNanos) {
  private static final int LEAST_REQUESTS = 8;

  /** For shorter ones, what is lost while the GPU waits for them would count. */
  private static final long SHORTEST_NANOS = 10_000_000;

  private static final long LONGEST_NANOS = 1_000_000_000;

  /**
   * Of so many, at least, none was further away from when it was due. If the last two were, another
   * rhythm may have begun.
   */
  private static final double PUNCTUAL = 0.75;

  private static final long PUNCTUAL_NANOS = 150_000;

  /**
   * Finds out whether there is one, from when the last requests began; null: there is none.
   *
   * @param begun the oldest first; what makes no sense has no rhythm
   */
  static @Nullable Rhythm of(long[] begun) {
    int count = begun.length;
    if (count < LEAST_REQUESTS) {
      return null;
    }
    long[] gaps = IntStream.range(1, count).mapToLong(i -> begun[i] - begun[i - 1]).toArray();
    long usual = median(gaps);
    if (usual < SHORTEST_NANOS
        || usual > LONGEST_NANOS
        || !Arrays.stream(gaps).allMatch(gap -> gap > 0 && gap <= LONGEST_NANOS * count)) {
      return null;
    }
    // Which one each is: some may have been left out.
    long[] numbers = new long[count];
    for (int i = 1; i < count; i++) {
      numbers[i] = numbers[i - 1] + Math.max(1, Math.round((double) gaps[i - 1] / usual));
    }
    int half = count / 2;
    // Over many requests, that one of them was late makes little difference.
    long every =
        median(
            IntStream.range(0, count - half)
                .mapToLong(i -> (begun[i + half] - begun[i]) / (numbers[i + half] - numbers[i]))
                .toArray());
    long[] due = IntStream.range(0, count).mapToLong(i -> begun[i] - numbers[i] * every).toArray();
    long first = median(due);
    long punctual = Arrays.stream(due).filter(nanos -> isPunctual(nanos, first)).count();
    boolean broken = !isPunctual(due[count - 1], first) && !isPunctual(due[count - 2], first);
    return broken || punctual < PUNCTUAL * count
        ? null
        : new Rhythm(first + numbers[count - 1] * every, every);
  }

  private static boolean isPunctual(long nanos, long due) {
    return Math.abs(nanos - due) <= PUNCTUAL_NANOS;
  }

  private static long median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
