package dev.xsched.cli.daemon;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much work a queue keeps in flight, as people write it: a time, a number of commands with how
 * many share a synchronisation point, or auto.
 */
record WindowOption(long micros, int commands, int batch) {
  private static final Pattern FIXED = Pattern.compile("(\\d{1,6})/(\\d{1,6})");

  static WindowOption parse(String text) {
    if (text.equals("auto")) {
      return new WindowOption(0, 0, 0);
    }
    Matcher fixed = FIXED.matcher(text);
    if (fixed.matches()) {
      int commands = Integer.parseInt(fixed.group(1));
      int batch = Integer.parseInt(fixed.group(2));
      if (commands < 1 || batch < 1 || batch > commands) {
        throw new IllegalArgumentException(
            "window %s makes no sense; give THRESHOLD/BATCH with 1 <= BATCH <= THRESHOLD, such as 8/4"
                .formatted(text));
      }
      return new WindowOption(0, commands, batch);
    }
    try {
      long micros = HintValues.micros(text);
      if (micros > 0) {
        return new WindowOption(micros, 0, 0);
      }
    } catch (IllegalArgumentException _) {
      // Says the same as for no time at all.
    }
    throw new IllegalArgumentException(
        "'%s' is no window; give a time such as 500us, THRESHOLD/BATCH such as 8/4, or auto"
            .formatted(text));
  }

  /** Reads a number of commands. */
  static int commands(String text) {
    if (!text.matches("[1-9]\\d{0,5}")) {
      throw new IllegalArgumentException(
          "'%s' is no number of commands; give 1 to 999999".formatted(text));
    }
    return Integer.parseInt(text);
  }

  static String text(long micros, int commands, int batch) {
    if (commands > 0) {
      return batch > 0 ? commands + "/" + batch : Integer.toString(commands);
    }
    return micros > 0 ? Units.time(1000.0 * micros) : "auto";
  }
}
