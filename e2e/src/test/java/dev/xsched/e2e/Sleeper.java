package dev.xsched.e2e;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sleeps 10 ms again and again, and the worst delay that it met: what the machine
 * itself does to everybody, without any part of ours.
 */
final class Sleeper implements AutoCloseable {
  private static final long NAP_NANOS = 10_000_000;

  private final Thread thread = Thread.ofPlatform().daemon().name("sleeper").unstarted(this::sleep);
  private volatile boolean closing;
  private volatile long worstNanos;

  static Sleeper start() {
    Sleeper sleeper = new Sleeper();
    sleeper.thread.start();
    return sleeper;
  }

  double worstMillis() {
    return worstNanos / 1e6;
  }

  private void sleep() {
    while (!closing) {
      long due = System.nanoTime() + NAP_NANOS;
      LockSupport.parkNanos(NAP_NANOS);
      worstNanos = Math.max(worstNanos, System.nanoTime() - due);
    }
  }

  @Override
  public void close() {
    closing = true;
  }
}
