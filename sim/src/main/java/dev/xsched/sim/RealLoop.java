package dev.xsched.sim;

import java.lang.System.Logger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Real time: one daemon thread that sleeps until shortly before the next event and spins for the
 * rest. Any thread may ask for events.
 */
public final class RealLoop implements EventLoop, AutoCloseable {
  /** A sleeping thread comes late by this much: 11 to 24 us p50 and some more on a busy machine. */
  private static final long SPIN_NANOS = 50_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final EventHeap events = new EventHeap();
  private final long originNanos = System.nanoTime();
  private final Thread thread;
  private volatile long nextNanos = Long.MAX_VALUE;
  private volatile boolean closed;

  public RealLoop(String name) {
    thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    thread.start();
  }

  @Override
  public long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  @Override
  public void at(long nanos, Runnable event) {
    boolean sooner;
    lock.lock();
    try {
      sooner = nanos < events.nextNanos();
      events.add(nanos, event);
      nextNanos = events.nextNanos();
    } finally {
      lock.unlock();
    }
    if (sooner && !thread.equals(Thread.currentThread())) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public boolean mustNotBlock() {
    return thread.equals(Thread.currentThread());
  }

  /** Ends the thread. Events still to come never happen. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    while (!closed) {
      long waitNanos = nextNanos - nowNanos();
      if (waitNanos <= 0) {
        handleNext();
      } else if (waitNanos > SPIN_NANOS) {
        LockSupport.parkNanos(waitNanos - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private void handleNext() {
    Runnable event = null;
    lock.lock();
    try {
      if (events.nextNanos() <= nowNanos()) {
        event = events.remove();
      }
      nextNanos = events.nextNanos();
    } finally {
      lock.unlock();
    }
    if (event != null) {
      runGuarded(event);
    }
  }

  /** An event that throws is a defect of its own; the others must still happen. */
  private static void runGuarded(Runnable event) {
    try {
      event.run();
    } catch (RuntimeException e) {
      System.getLogger("dev.xsched").log(Logger.Level.ERROR, "an event of the device failed", e);
    }
  }
}
