package dev.xsched.daemon;

import dev.xsched.policy.Decision;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/** Calls once at the time that was asked for last. */
final class Alarm {
  private final Thread thread;
  private volatile long atNanos = Decision.NEVER;
  private volatile boolean closing;

  Alarm(Runnable onTime) {
    thread = Thread.ofPlatform().daemon().name("xsched-alarm").unstarted(() -> wait(onTime));
  }

  void start() {
    thread.start();
  }

  /** Replaces what was asked before; {@link Decision#NEVER} asks for nothing. */
  void set(long newNanos) {
    atNanos = newNanos;
    LockSupport.unpark(thread);
  }

  void close() {
    closing = true;
    LockSupport.unpark(thread);
  }

  /** A fault of ours must not end the thread: slices would never end again. */
  private static void call(Runnable onTime) {
    try {
      onTime.run();
    } catch (RuntimeException e) {
      System.getLogger("dev.xsched.daemon").log(Level.ERROR, "a timed decision failed", e);
    }
  }

  private void wait(Runnable onTime) {
    while (!closing) {
      long at = atNanos;
      long left = at - System.nanoTime();
      if (at == Decision.NEVER) {
        LockSupport.park(this);
      } else if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else {
        atNanos = Decision.NEVER;
        call(onTime);
      }
    }
  }
}
