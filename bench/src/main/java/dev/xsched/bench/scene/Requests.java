package dev.xsched.bench.scene;

import java.util.Arrays;

/**
 * The requests of one party that ended while it was measured, in the order in which they ended:
 * when each came and when it was done, in nanoseconds since measuring began (a request may have
 * come before). Of programs that wait for each of a request's kernels also when the first had
 * ended, and how long the slowest of the others took. Not thread-safe.
 */
public final class Requests {
  private long[] arrived = new long[64];
  private long[] first = new long[64];
  private long[] longest = new long[64];
  private long[] done = new long[64];
  private int count;

  /** Adds one of which nobody knows more than its end. */
  public void add(long arrivedNanos, long doneNanos) {
    add(arrivedNanos, doneNanos, 0, doneNanos);
  }

  /** Adds one whose first kernel had ended at that time, and of whose others none took longer. */
  public void add(long arrivedNanos, long firstNanos, long longestNanos, long doneNanos) {
    if (count == done.length) {
      arrived = Arrays.copyOf(arrived, 2 * count);
      first = Arrays.copyOf(first, 2 * count);
      longest = Arrays.copyOf(longest, 2 * count);
      done = Arrays.copyOf(done, 2 * count);
    }
    arrived[count] = arrivedNanos;
    first[count] = firstNanos;
    longest[count] = longestNanos;
    done[count++] = doneNanos;
  }

  public int count() {
    return count;
  }

  public long arrivedNanos(int index) {
    return arrived[index];
  }

  public long doneNanos(int index) {
    return done[index];
  }

  /** Returns how long each took, in the order in which they ended. */
  public long[] latencies() {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      nanos[i] = done[i] - arrived[i];
    }
    return nanos;
  }

  /** Returns how long each took until its first kernel had ended. */
  public long[] firsts() {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      nanos[i] = first[i] - arrived[i];
    }
    return nanos;
  }

  /** Returns how long each took from then on. */
  public long[] rests() {
    long[] nanos = new long[count];
    for (int i = 0; i < count; i++) {
      nanos[i] = done[i] - first[i];
    }
    return nanos;
  }

  /** Returns what the slowest kernel of each took, but for the first. */
  public long[] longests() {
    return Arrays.copyOf(longest, count);
  }

  /** Returns the times from each end to the next. */
  public long[] intervals() {
    long[] nanos = new long[Math.max(0, count - 1)];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = done[i + 1] - done[i];
    }
    return nanos;
  }
}
