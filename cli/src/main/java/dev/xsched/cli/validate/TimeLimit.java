package dev.xsched.cli.validate;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Interrupts the thread that made it when the time is over, unless it is closed before. */
final class TimeLimit implements AutoCloseable {
  private final Thread owner = Thread.currentThread();
  private final ScheduledExecutorService clock;
  private final long endNanos;
  private boolean closed;
  private boolean over;

  TimeLimit(Duration limit) {
    endNanos = System.nanoTime() + limit.toNanos();
    clock = Executors.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().factory());
    ScheduledFuture<?> _ = clock.schedule(this::end, limit.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized void end() {
    if (!closed) {
      over = true;
      owner.interrupt();
    }
  }

  /** Whether the interruption was this one. */
  synchronized boolean over() {
    return over;
  }

  Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
  }

  @Override
  public synchronized void close() {
    closed = true;
    clock.shutdownNow();
    if (over) {
      boolean _ = Thread.interrupted(); // It may have come too late to be noticed.
    }
  }
}
