package dev.xsched.policy.builtin;

/**
 * How long a program's requests wait for the device, which tells what others do to it from what it
 * does itself. Immutable; all in picoseconds per command.
 *
 * <p>A program that is bound by its own host takes now longer, now shorter, whatever others do: on
 * the device they can delay it only where it waits for that. So what requests take beside others is
 * what they take alone, and what they wait more than alone; from both together follows how long all
 * but a few of them take, long before enough of them were seen. That holds only where waits are
 * seen: where requests never seem to wait, even alone, or where most of the latest are late by
 * themselves, the program waits in ways unseen.
 *
 * @param alone what the latest requests alone waited
 * @param added what the latest beside others waited more than these do usually
 * @param own what they would have taken without that; 0 where that is not known
 */
record Waits(Recent alone, Recent added, Recent own) {
  private static final int KEPT_ALONE = 64;
  private static final int LEAST_ALONE = 16;
  private static final int LATEST = 2 * Pace.STEADY;

  static final Waits UNKNOWN =
      new Waits(Recent.ofMost(KEPT_ALONE), Recent.ofMost(LATEST), Recent.ofMost(LATEST));

  /** After one more request alone. Where none ever waits, nothing is known. */
  Waits withAlone(long waited) {
    return waited == 0 ? this : new Waits(alone.with(waited), added, own);
  }

  /** After one more request beside others. */
  Waits with(long took, long waited) {
    boolean known = alone.count() >= LEAST_ALONE;
    long more = known ? Math.clamp(waited - alone.percentile(50), -took, took - 1) : took;
    return new Waits(alone, added.with(more), own.with(took - Math.max(0, more)));
  }

  /** From now on others may add another amount. */
  Waits anew() {
    return new Waits(alone, UNKNOWN.added, UNKNOWN.own);
  }

  /** Whether it is known of the latest requests what was added to them, as far as one can see. */
  boolean areSeen(long limit) {
    return own.smallest() > 0 && own.percentile(50) <= limit;
  }

  /** Whether these are enough to tell what to expect. */
  boolean areEnough() {
    return own.count() == LATEST;
  }

  /**
   * By how much longer than alone all but a few requests take, with such waits. Both are expected
   * in the same way, so that what varies even alone is no reason.
   *
   * @param took what they take alone
   * @param percent so many are no longer than that
   */
  long prolong(Recent took, int percent) {
    return expected(took, added, 0, percent) - expected(took, alone, alone.percentile(50), percent);
  }

  /**
   * Of all sums of a time and a wait, but for the longest wait: a thread that was woken late tells
   * nothing about the device. Found by halving, as there are thousands of them for each request.
   */
  private static long expected(Recent took, Recent waits, long usual, int percent) {
    int count = waits.count() - 1;
    long rank = Math.max(1, ((long) took.count() * count * percent + 99) / 100);
    long low = took.smallest() + waits.smallest();
    long high = took.largest() + waits.ranked(count - 1);
    while (low < high) {
      long middle = low + (high - low) / 2;
      if (sumsUpTo(middle, took, waits, count) >= rank) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low - usual;
  }

  private static long sumsUpTo(long limit, Recent took, Recent waits, int count) {
    long sums = 0;
    int fitting = count; // fewer of them for each longer time
    for (int i = 0; i < took.count(); i++) {
      while (fitting > 0 && took.ranked(i) + waits.ranked(fitting - 1) > limit) {
        fitting--;
      }
      sums += fitting;
    }
    return sums;
  }
}
