package dev.xsched.cli.report;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers as people read them, the same in every country. */
public final class Numbers {
  private Numbers() {}

  public static String fixed(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Three significant digits, without an exponent: 0.0312, 3.12, 31.2, 312, 3120. */
  public static String significant(double value) {
    return significant(value, 3);
  }

  /** As {@link #significant(double)}, without zeros at the end: 0.85, 3.1, 31.2, 3120. */
  public static String brief(double value) {
    return withoutZeros(significant(value, 3));
  }

  /** A digit more than {@link #brief}: a goal may be missed by as little. */
  public static String readable(double value) {
    return withoutZeros(significant(value, 4));
  }

  /** A value of a record, which may be a text. */
  public static String shown(@Nullable Object value) {
    return value instanceof Double number ? readable(number) : String.valueOf(value);
  }

  private static String significant(double value, int digits) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : String.valueOf(value);
    }
    int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
    return fixed(value, Math.max(0, digits - 1 - magnitude));
  }

  private static String withoutZeros(String text) {
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }

  public static String percent(double share) {
    return fixed(100 * share, 0) + " %";
  }
}
