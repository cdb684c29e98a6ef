package dev.xsched.policy.builtin;

/**
 * How long a program's requests wait for the device, which tells what others do to it from what it
 * does itself. Immutable; all in picoseconds per command.
 *
 * <p>A program that is bound by its own host takes now longer, now shorter, whatever others do: on
 * the device they can delay it only where it waits for that. So what a request beside others waited
 * more than requests alone do usually is what they added, and without that it took what it would
 * have taken alone. From both together follows how long all but a few requests take, long before
 * enough of them were seen, and whatever the host does meanwhile. That holds only where waits are
 * seen: where requests never seem to wait, even alone, nothing is known.
 *
 * @param alone what the latest requests alone waited
 * @param added what the latest beside others waited more, all with the same share
 * @param own what the latest took, alone, or without what was added
 */
record Waits(Recent alone, Recent added, Recent own) {
  private static final int KEPT = 64;
  private static final int KEPT_OWN = 128;
  private static final int LEAST_ALONE = 16;
  private static final int LATEST = 2 * Pace.STEADY;

  static final Waits UNKNOWN =
      new Waits(Recent.ofMost(KEPT), Recent.ofMost(KEPT_OWN), Recent.ofMost(KEPT_OWN));

  /** After one more request alone. */
  Waits withAlone(long took, long waited) {
    return waited == 0 ? this : new Waits(alone.with(waited), added, own.with(took));
  }

  /** After one more request beside others. */
  Waits with(long took, long waited) {
    if (!areKnown()) {
      return this;
    }
    long more = Math.clamp(waited - alone.percentile(50), -took, took - 1);
    return new Waits(alone, added.with(more), own.with(took - Math.max(0, more)));
  }

  /** From now on others may add another amount. */
  Waits anew() {
    return new Waits(alone, UNKNOWN.added, own);
  }

  /** Whether what others add can be told. */
  boolean areKnown() {
    return alone.count() >= LEAST_ALONE;
  }

  /** Whether most of the latest requests would have been late alone, too, as far as one can see. */
  boolean areLateAlone(long limit) {
    return own.count() >= LATEST && own.latest(LATEST).percentile(50) > limit;
  }

  /**
   * Whether what requests seem to take without others is what the latest ones took, which were
   * alone, and these waited as long as others alone did before.
   */
  boolean explain(Recent reallyAlone) {
    Recent now = alone.latest(reallyAlone.count());
    Recent before = alone.before(reallyAlone.count());
    long little = reallyAlone.percentile(50) / 100;
    return areKnown()
        && reallyAlone.largest() >= own.percentile(25)
        && now.smallest() <= before.percentile(75) + little
        && now.largest() >= before.percentile(25) - little;
  }

  /**
   * By how much longer than alone all but a few requests take, with such waits. Both are expected
   * in the same way, so that what varies even alone is no reason.
   *
   * @param percent so many are no longer than that
   */
  long prolong(int percent) {
    return expected(own, added, 0, percent) - expected(own, alone, alone.percentile(50), percent);
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
