package dev.xsched.daemon;

/**
 * How long a program is held back until others are off its GPU. That must not last. If it did once,
 * the machine may have stood still, so it is tried again after a while, and less often the more
 * often it was in vain.
 */
final class Patience {
  private static final long LONGEST_NANOS = 100_000_000;
  private static final long FIRST_PAUSE_NANOS = 10_000_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 600_000_000_000L;
  private static final long NOT = Long.MIN_VALUE;

  private long heldSince = NOT;
  private long goneUntil = NOT;
  private long pauseNanos = FIRST_PAUSE_NANOS;

  /** Notices whether it is held back now; returns whether its patience has just ended. */
  boolean ends(boolean held, long nowNanos) {
    if (!held) {
      pauseNanos = heldSince == NOT ? pauseNanos : FIRST_PAUSE_NANOS;
      heldSince = NOT;
      return false;
    }
    heldSince = heldSince == NOT ? nowNanos : heldSince;
    if (nowNanos - heldSince <= LONGEST_NANOS) {
      return false;
    }
    heldSince = NOT;
    goneUntil = nowNanos + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    return true;
  }

  /** For how long it is not to be held back, 0 if it may be. */
  long goneNanos(long nowNanos) {
    return goneUntil == NOT ? 0 : Math.max(0, goneUntil - nowNanos);
  }
}
