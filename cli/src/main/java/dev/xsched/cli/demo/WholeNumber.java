package dev.xsched.cli.demo;

import dev.xsched.policy.Hint;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a whole number within limits; whatever else is typed is answered with the limits. */
sealed class WholeNumber implements ITypeConverter<Long> {
  private final String what;
  private final long min;
  private final long max;

  private WholeNumber(String what, long min, long max) {
    this.what = what;
    this.min = min;
    this.max = max;
  }

  /** A length of a run. */
  static final class Seconds extends WholeNumber {
    Seconds() {
      super("number of seconds", 1, 3600);
    }
  }

  /** A priority of a queue. */
  static final class Priority extends WholeNumber {
    Priority() {
      super("priority", Hint.PRIORITY.min(), Hint.PRIORITY.max());
    }
  }

  @Override
  public Long convert(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Says the same as for a number out of range.
    }
    throw new TypeConversionException(
        "'%s' is no %s; give a whole number from %d to %d".formatted(text, what, min, max));
  }
}
