package dev.xsched.queue;

import java.util.Set;

/** How much of a queue's work can be stopped. Each level includes the ones before it. */
public enum Level {
  /** Pending commands: the host does not launch them. */
  BLOCK,
  /** Also commands in flight: the hardware queue is no longer served. */
  DEACTIVATE,
  /** Also the running command, which is saved and later restored. */
  INTERRUPT;

  /** The number users and the C interface know: 1, 2 or 3. */
  public int number() {
    return ordinal() + 1;
  }

  /** Returns the level of that number. */
  public static Level of(int number) {
    if (number < 1 || number > 3) {
      throw new IllegalArgumentException(
          "unknown level %d; choose 1 (block), 2 (deactivate) or 3 (interrupt)".formatted(number));
    }
    return values()[number - 1];
  }

  /** Returns the highest of the available levels that is not above this one. */
  Level atMost(Set<Level> available) {
    Level best = BLOCK;
    for (Level level : available) {
      if (level.compareTo(this) <= 0 && level.compareTo(best) > 0) {
        best = level;
      }
    }
    return best;
  }
}
