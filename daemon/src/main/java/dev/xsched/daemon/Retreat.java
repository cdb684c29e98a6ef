package dev.xsched.daemon;

/**
 * For how long something is left alone that was in vain. The machine may have stood still, so it is
 * tried again after a while, and less often the more often it was in vain.
 */
final class Retreat {
  private static final long FIRST_NANOS = 10_000_000_000L;
  private static final long LONGEST_NANOS = 600_000_000_000L;
  private static final long NOT = Long.MIN_VALUE;

  private long until = NOT;
  private long nextNanos = FIRST_NANOS;

  void begin(long nowNanos) {
    until = nowNanos + nextNanos;
    nextNanos = Math.min(2 * nextNanos, LONGEST_NANOS);
  }

  /** It went well, so the next one is short again. */
  void forget() {
    nextNanos = FIRST_NANOS;
  }

  /** How long it still takes, 0 if it is over. */
  long leftNanos(long nowNanos) {
    return until == NOT ? 0 : Math.max(0, until - nowNanos);
  }
}
