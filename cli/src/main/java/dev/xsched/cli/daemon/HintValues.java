package dev.xsched.cli.daemon;

import dev.xsched.policy.Hint;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hints as people write and read them. */
final class HintValues {
  private static final Pattern DURATION = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(us|ms|s)");
  private static final Pattern RATIO = Pattern.compile("(\\d{1,6}(?:\\.\\d{1,9})?)x");
  private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");

  private HintValues() {}

  /** Whether the hint is a time. */
  private static boolean isTime(Hint hint) {
    return switch (hint) {
      case DEADLINE, LAXITY, TIMESLICE, SLO_P99 -> true;
      case PRIORITY, UTILIZATION, LAX_PRIORITY, CRITICAL_PRIORITY, K, WINDOW_ACTIVE, SLO_RATIO ->
          false;
    };
  }

  /** Which hint a latency goal is: with an x at its end it is a ratio, else a time. */
  static Hint goalOf(String text) {
    return text.endsWith("x") ? Hint.SLO_RATIO : Hint.SLO_P99;
  }

  /** The option that sets a hint. */
  static String option(Hint hint) {
    return hint == Hint.SLO_P99 || hint == Hint.SLO_RATIO ? "--slo" : "--" + hint.label();
  }

  /** Reads a value; whatever is wrong is answered with what would be right. */
  static long parse(Hint hint, String text) {
    if (isTime(hint)) {
      return hint.check(micros(text));
    }
    if (hint == Hint.SLO_RATIO) {
      return thousandths(text);
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
    if (hint == Hint.SLO_RATIO) {
      return BigDecimal.valueOf(value, 3).stripTrailingZeros().toPlainString() + "x";
    }
    return hint == Hint.UTILIZATION ? value + " %" : Long.toString(value);
  }

  private static long thousandths(String text) {
    Matcher matcher = RATIO.matcher(text);
    long value = matcher.matches() ? ratio(matcher.group(1)) : 0;
    if (value < Hint.SLO_RATIO.min()) {
      throw new IllegalArgumentException(
          "'%s' is no latency goal; give a time such as 20ms, or a ratio of 1x or more such as 1.05x"
              .formatted(text));
    }
    return value;
  }

  private static long ratio(String number) {
    return new BigDecimal(number).movePointRight(3).longValue();
  }

  /** Reads a time: 20ms, 500us or 3s. A plain number would be taken for other units than meant. */
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
