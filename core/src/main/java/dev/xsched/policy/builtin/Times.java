package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;

/** Arithmetic on points in time that does not overflow. */
final class Times {
  private Times() {}

  /** Returns the time so much later; never, if that is {@link Hint#UNSET} or out of range. */
  static long after(long startNanos, long delayNanos) {
    long end = startNanos + delayNanos;
    return delayNanos == Hint.UNSET || end < startNanos ? Decision.NEVER : end;
  }

  /** Returns a time after now at which at least so much has passed: a timer must not spin. */
  static long wakeUp(long nowNanos, double delayNanos) {
    return after(nowNanos, Math.max(1, (long) Math.ceil(delayNanos)));
  }
}
