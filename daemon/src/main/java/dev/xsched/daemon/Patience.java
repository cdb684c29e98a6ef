package dev.xsched.daemon;

/** How long a program is held back until others are off its GPU. That must not last. */
final class Patience {
  private static final long LONGEST_NANOS = 100_000_000;
  private static final long NOT = Long.MIN_VALUE;

  private final Retreat retreat = new Retreat();
  private long heldSince = NOT;

  /** Notices whether it is held back now; returns whether its patience has just ended. */
  boolean ends(boolean held, long nowNanos) {
    if (!held) {
      if (heldSince != NOT) {
        retreat.forget();
      }
      heldSince = NOT;
      return false;
    }
    heldSince = heldSince == NOT ? nowNanos : heldSince;
    if (nowNanos - heldSince <= LONGEST_NANOS) {
      return false;
    }
    heldSince = NOT;
    retreat.begin(nowNanos);
    return true;
  }

  /** For how long it is not to be held back, 0 if it may be. */
  long goneNanos(long nowNanos) {
    return retreat.leftNanos(nowNanos);
  }
}
