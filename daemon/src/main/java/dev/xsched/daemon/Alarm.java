package dev.xsched.daemon;

import dev.xsched.policy.Decision;
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
        onTime.run();
      }
    }
  }
}
