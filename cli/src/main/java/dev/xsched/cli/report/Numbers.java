package dev.xsched.cli.report;

import java.util.Locale;

/** Numbers as people read them, the same in every country. */
public final class Numbers {
  private Numbers() {}

  public static String fixed(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Three significant digits, without an exponent: 0.0312, 3.12, 31.2, 312, 3120. */
  public static String significant(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : String.valueOf(value);
    }
    int magnitude = (int) Math.floor(Math.log10(Math.abs(value)));
    return fixed(value, Math.max(0, 2 - magnitude));
  }

  /** As {@link #significant}, without zeros at the end: 0.85, 3.1, 31.2, 3120. */
  public static String readable(double value) {
    String text = significant(value);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }

  public static String percent(double share) {
    return fixed(100 * share, 0) + " %";
  }
}
