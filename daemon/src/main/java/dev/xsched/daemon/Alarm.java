package dev.xsched.daemon;

import dev.xsched.policy.Decision;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Calls once at the time that was asked for last. */
final class Alarm {
  private final Thread thread;
  private final LongSupplier clock;
  private final AtomicLong atNanos = new AtomicLong(Decision.NEVER);
  private volatile boolean closing;

  Alarm(Runnable onTime, LongSupplier clock) {
    this.clock = clock;
    thread = Thread.ofPlatform().daemon().name("xsched-alarm").unstarted(() -> wait(onTime));
  }

  void start() {
    thread.start();
  }

  /** Replaces what was asked before; {@link Decision#NEVER} asks for nothing. */
  void set(long newNanos) {
    atNanos.set(newNanos);
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
    } catch (RuntimeException | Error e) {
      System.getLogger("dev.xsched.daemon").log(Level.ERROR, "a timed decision failed", e);
    }
  }

  /** The kernel wakes a thread up to 50 us late otherwise. */
  private static void wakeUpInTime() {
    try {
      Path thread = Path.of("/proc/thread-self").toRealPath();
      Files.writeString(Path.of("/proc", thread.getFileName().toString(), "timerslack_ns"), "1");
    } catch (IOException e) {
      System.getLogger("dev.xsched.daemon").log(Level.DEBUG, "timers stay inexact", e);
    }
  }

  private void wait(Runnable onTime) {
    wakeUpInTime();
    while (!closing) {
      long at = atNanos.get();
      long left = at - clock.getAsLong();
      if (at == Decision.NEVER) {
        LockSupport.park(this);
      } else if (left > 0) {
        LockSupport.parkNanos(this, left);
      } else if (atNanos.compareAndSet(at, Decision.NEVER)) {
        call(onTime);
      }
    }
  }
}
