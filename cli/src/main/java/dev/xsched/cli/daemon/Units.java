package dev.xsched.cli.daemon;

import java.util.Locale;

/** Numbers as people read them: three digits and a unit. */
final class Units {
  private Units() {}

  /** A length of time up to minutes. */
  static String time(double nanos) {
    if (nanos < 1e3) {
      return number(nanos) + " ns";
    } else if (nanos < 1e6) {
      return number(nanos / 1e3) + " us";
    } else if (nanos < 1e9) {
      return number(nanos / 1e6) + " ms";
    } else if (nanos < 120e9) {
      return number(nanos / 1e9) + " s";
    }
    return uptime((long) nanos);
  }

  /** A length of time from seconds to days. */
  static String uptime(long nanos) {
    long seconds = nanos / 1_000_000_000;
    if (seconds < 60) {
      return seconds + " s";
    } else if (seconds < 3600) {
      return "%d min %d s".formatted(seconds / 60, seconds % 60);
    } else if (seconds < 86_400) {
      return "%d h %d min".formatted(seconds / 3600, seconds / 60 % 60);
    }
    return "%d d %d h".formatted(seconds / 86_400, seconds / 3600 % 24);
  }

  /** A count, shortened where it is long: 950, 12.3k, 4.56M. */
  static String count(double value) {
    if (value < 1e4) {
      return String.format(Locale.ROOT, "%.0f", value);
    } else if (value < 1e6) {
      return number(value / 1e3) + "k";
    } else if (value < 1e9) {
      return number(value / 1e6) + "M";
    }
    return number(value / 1e9) + "G";
  }

  static String plural(int count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }

  private static String number(double value) {
    String format = value >= 100 ? "%.0f" : value >= 10 ? "%.1f" : "%.2f";
    String text = String.format(Locale.ROOT, format, value);
    return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
  }
}
