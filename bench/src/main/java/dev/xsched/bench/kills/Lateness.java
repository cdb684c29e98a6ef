package dev.xsched.bench.kills;

import java.util.concurrent.locks.LockSupport;

/**
 * A thread that sleeps 10 ms again and again, and by how much it was late at the worst: what the
 * machine does to everybody, so that nobody is blamed for it.
 */
public final class Lateness implements AutoCloseable {
  private static final long NAP_NANOS = 10_000_000;

  private final Thread thread = Thread.ofPlatform().daemon().name("lateness").unstarted(this::nap);
  private volatile boolean closing;
  private volatile long worstNanos;

  public static Lateness watch() {
    Lateness lateness = new Lateness();
    lateness.thread.start();
    return lateness;
  }

  public long worstNanos() {
    return worstNanos;
  }

  private void nap() {
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
