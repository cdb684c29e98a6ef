package dev.xsched.cli.daemon;

import dev.xsched.policy.Hint;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hints as people write and read them. */
final class HintValues {
  private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s|)");
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

  private HintValues() {}

  /** Whether the hint is a time. */
  private static boolean isTime(Hint hint) {
    return switch (hint) {
      case DEADLINE, LAXITY, TIMESLICE -> true;
      case PRIORITY, UTILIZATION, LAX_PRIORITY, CRITICAL_PRIORITY, K, WINDOW_ACTIVE -> false;
    };
  }

  /** Reads a value; whatever is wrong is answered with what would be right. */
  static long parse(Hint hint, String text) {
    if (isTime(hint)) {
      return hint.check(micros(text));
    }
    String number = hint == Hint.UTILIZATION && text.endsWith("%") ? chop(text) : text;
    if (!WHOLE.matcher(number).matches()) {
      throw new IllegalArgumentException(
          "'%s' is no %s; give a whole number (%s)".formatted(text, hint.label(), hint.meaning()));
    }
    return hint.check(Long.parseLong(number));
  }

  static String format(Hint hint, long value) {
    if (isTime(hint)) {
      return Units.time(1000.0 * value);
    }
    return hint == Hint.UTILIZATION ? value + " %" : Long.toString(value);
  }

  /** Reads a time: 20ms, 500us, 3s, or a plain number of microseconds. */
  static long micros(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches() || matcher.group(1).length() > 15) {
      throw new IllegalArgumentException(
          "'%s' is no time; give a number with us, ms or s, such as 500us, 20ms or 3s"
              .formatted(text));
    }
    int scale =
        switch (matcher.group(2)) {
          case "s" -> 6;
          case "ms" -> 3;
          default -> 0;
        };
    return new BigDecimal(matcher.group(1)).scaleByPowerOfTen(scale).longValue();
  }

  private static String chop(String text) {
    return text.substring(0, text.length() - 1);
  }
}
