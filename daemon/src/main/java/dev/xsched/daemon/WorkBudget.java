package dev.xsched.daemon;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a thread from taking more than its part of a core, however often it is called. Bursts pass
 * at once; what lasts is slowed down, and then each round simply has more to do.
 */
final class WorkBudget {
  private static final double PART_OF_CORE = 0.35;
  private static final long BURST_NANOS = 2_000_000;

  private long credit = BURST_NANOS;
  private long updated = System.nanoTime();

  /** Whether there is enough left to waste some on waiting for the next call. */
  boolean mayWait() {
    return credit > BURST_NANOS / 2;
  }

  /** Takes what was worked, and sleeps if that was too much. */
  void spend(long workedNanos) {
    refill();
    credit -= workedNanos;
    while (credit < 0) {
      LockSupport.parkNanos((long) (-credit / PART_OF_CORE));
      refill();
    }
  }

  private void refill() {
    long now = System.nanoTime();
    credit = Math.min(BURST_NANOS, credit + (long) ((now - updated) * PART_OF_CORE));
    updated = now;
  }
}
