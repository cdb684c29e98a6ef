package dev.xsched.sim;

/**
 * Time, and things that happen in it. A device is written against this, so the same device runs on
 * virtual time ({@link VirtualLoop}) and on real time ({@link RealLoop}).
 */
public interface EventLoop {
  long nowNanos();

  /**
   * Has the event run at that time, or at once if it has passed. Events of the same time run in the
   * order in which they were asked for, one at a time.
   */
  void at(long nanos, Runnable event);

  /** Whether the caller is inside of an event, or would have to be for time to pass. */
  boolean mustNotBlock();
}
