package dev.xsched.sim;

/**
 * Measures for how long at least two clients wanted the device at the same time. An experiment that
 * is about contention proves by this that there was some.
 */
final class DemandMeter {
  private final EventLoop loop;
  private int wanting;
  private long sinceNanos;
  private long contendedNanos;

  DemandMeter(EventLoop loop) {
    this.loop = loop;
  }

  /** A client has handed in the commands of a task. */
  void begins() {
    if (++wanting == 2) {
      sinceNanos = loop.nowNanos();
    }
  }

  /** All of them have completed. */
  void ends() {
    if (--wanting == 1) {
      contendedNanos += loop.nowNanos() - sinceNanos;
    }
  }

  void startMeasuring() {
    contendedNanos = 0;
    sinceNanos = loop.nowNanos();
  }

  long contendedNanos() {
    return contendedNanos + (wanting >= 2 ? loop.nowNanos() - sinceNanos : 0);
  }
}
