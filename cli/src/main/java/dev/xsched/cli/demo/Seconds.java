package dev.xsched.cli.demo;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number of seconds. */
final class Seconds implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      long seconds = Long.parseLong(text);
      if (seconds >= 1 && seconds <= 3600) {
        return seconds;
      }
    } catch (NumberFormatException _) {
      // Says the same as for a number out of range.
    }
    throw new TypeConversionException(
        "'%s' is no number of seconds; give a whole number from 1 to 3600".formatted(text));
  }
}
