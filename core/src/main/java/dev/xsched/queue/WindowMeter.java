package dev.xsched.queue;

/**
 * Turns a {@link LaunchWindow} into numbers of commands, by measuring how long commands take. Not
 * thread-safe.
 */
final class WindowMeter {
  private static final int MIN_ADAPTIVE = 2;

  /** Bounds the memory of a driver's queue: more than any device needs to stay busy. */
  private static final int MAX_ADAPTIVE = 4096;

  /** Weight of a new measurement: old ones fade within some ten synchronisations. */
  private static final double SMOOTHING = 0.25;

  /** Small beside what a measurement of one's own puts right, but it finds longer commands. */
  private static final double MOST_GROWTH_WHILE_SHARED = 1 + 1 / 64.0;

  private LaunchWindow window = LaunchWindow.DEFAULT;
  private double commandNanos;
  private long busyNanos;
  private int limit;
  private int batch;

  WindowMeter() {
    recompute();
  }

  LaunchWindow window() {
    return window;
  }

  void setWindow(LaunchWindow newWindow) {
    window = newWindow;
    recompute();
  }

  /** The most commands in flight. */
  int limit() {
    return limit;
  }

  /** A synchronisation point after every so many commands. */
  int batch() {
    return batch;
  }

  /** Smoothed time of one command, 0 before the first measurement. */
  double commandNanos() {
    return commandNanos;
  }

  /** How long the commands kept the device busy, as far as that was measured. */
  long busyNanos() {
    return busyNanos;
  }

  /**
   * Takes in that so many commands kept the device busy for that long.
   *
   * @param shared whether others may have had the device in between: then it may have been shorter
   */
  void measured(int commands, long nanos, boolean shared) {
    busyNanos += nanos;
    double sample = Math.max(1.0, (double) nanos / commands);
    if (shared && commandNanos != 0) {
      sample = Math.min(sample, MOST_GROWTH_WHILE_SHARED * commandNanos);
    }
    commandNanos = commandNanos == 0 ? sample : commandNanos + SMOOTHING * (sample - commandNanos);
    recompute();
  }

  private void recompute() {
    switch (window) {
      case LaunchWindow.Fixed(int threshold, int fixedBatch) -> {
        limit = threshold;
        batch = fixedBatch;
      }
      case LaunchWindow.Adaptive(var inFlight, int most) -> {
        // Before anything is measured the commands may be long: start small, growing is quick.
        double fits = commandNanos == 0 ? 0 : inFlight.toNanos() / commandNanos;
        limit = Math.min(most, (int) Math.clamp(fits, MIN_ADAPTIVE, MAX_ADAPTIVE));
        batch = Math.max(1, limit / 2);
      }
    }
  }
}
