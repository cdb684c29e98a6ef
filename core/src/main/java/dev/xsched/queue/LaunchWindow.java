package dev.xsched.queue;

import java.time.Duration;

/** How much work a queue keeps in flight: little enough to preempt soon, enough to never starve. */
public sealed interface LaunchWindow {
  /** About half a millisecond of work: below what a user notices, above any launch cost. */
  LaunchWindow DEFAULT = new Adaptive(Duration.ofNanos(500_000));

  /** No bound at all: the device gets everything at once, as it does without a scheduler. */
  LaunchWindow UNLIMITED = new Fixed(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /**
   * A bound by count, as in the paper, which uses 8 and 4.
   *
   * @param threshold the most commands in flight
   * @param batch a synchronisation point after every so many commands
   */
  record Fixed(int threshold, int batch) implements LaunchWindow {
    public Fixed {
      if (batch < 1 || threshold < batch) {
        throw new IllegalArgumentException(
            "window %d/%d is not valid; give threshold >= batch >= 1, such as 8/4"
                .formatted(threshold, batch));
      }
    }
  }

  /**
   * A bound by time: the queue measures how long its commands take and keeps about this much work
   * in flight, never less than two commands.
   *
   * @param most the most commands in flight all the same, which may be one
   */
  record Adaptive(Duration inFlight, int most) implements LaunchWindow {
    /** Bounded by time alone. */
    public Adaptive(Duration inFlight) {
      this(inFlight, Integer.MAX_VALUE);
    }

    public Adaptive {
      if (most < 1) {
        throw new IllegalArgumentException(
            "window of %d commands is not valid; give 1 or more".formatted(most));
      }
      if (inFlight.isNegative() || inFlight.isZero()) {
        throw new IllegalArgumentException(
            "window of %s is not valid; give a positive time, such as 500 us".formatted(inFlight));
      }
    }
  }
}
