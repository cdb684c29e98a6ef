package dev.xsched.cli.daemon;

/** Levels of preemption as people write them. */
final class Levels {
  /** The best that a queue has. */
  static final int BEST = 0;

  private Levels() {}

  static int parse(String text) {
    return switch (text) {
      case "auto" -> BEST;
      case "1", "2", "3" -> Integer.parseInt(text);
      default ->
          throw new IllegalArgumentException(
              "'%s' is no level; choose auto, 1 (block), 2 (deactivate) or 3 (interrupt)"
                  .formatted(text));
    };
  }
}
