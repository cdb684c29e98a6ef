package dev.xsched.client;

import java.util.function.BooleanSupplier;

/** Waiting for what must come, for longer than any machine needs. */
final class Conditions {
  private static final long PATIENCE_NANOS = 30_000_000_000L;

  private Conditions() {}

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited in vain for " + what);
      }
      pause(1);
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
