package dev.xsched.cli.report.figure;

import java.util.Locale;
import java.util.OptionalDouble;

/** What a number of the paper is worth in the unit of a record. */
enum Unit {
  MICROSECONDS,
  MILLISECONDS,
  RATIO,
  PERCENT,
  OTHER;

  static Unit of(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "us", "µs" -> MICROSECONDS;
      case "ms" -> MILLISECONDS;
      case "percent", "%", "percent of standalone", "percent of one core" -> PERCENT;
      case "", "x", "ratio", "share", "times", "times standalone", "of standalone", "normalised" ->
          RATIO;
      default -> OTHER;
    };
  }

  /** Empty where the two are of different kinds. */
  OptionalDouble convert(double value, Unit to) {
    if (this == to) {
      return OptionalDouble.of(value);
    }
    return switch (this) {
      case MICROSECONDS -> to == MILLISECONDS ? scaled(value, 1e-3) : OptionalDouble.empty();
      case MILLISECONDS -> to == MICROSECONDS ? scaled(value, 1e3) : OptionalDouble.empty();
      case RATIO -> to == PERCENT ? scaled(value, 100) : OptionalDouble.empty();
      case PERCENT -> to == RATIO ? scaled(value, 0.01) : OptionalDouble.empty();
      case OTHER -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble scaled(double value, double factor) {
    return OptionalDouble.of(value * factor);
  }
}
