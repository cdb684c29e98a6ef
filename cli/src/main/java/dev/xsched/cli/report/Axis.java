package dev.xsched.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * One side of a chart: what it shows and how values become positions.
 *
 * @param from the value at position 0
 * @param to the value at position 1
 */
public record Axis(String label, double from, double to, boolean logarithmic) {
  /** From this ratio of the largest to the smallest value on, equal steps would hide the small. */
  private static final double WIDE = 20;

  /** An axis that shows these values well: from 0 in equal steps, or by ratio if they lie wide. */
  public static Axis fitting(String label, double smallest, double largest) {
    if (smallest > 0 && largest / smallest > WIDE) {
      return new Axis(
          label,
          Math.pow(10, Math.floor(Math.log10(smallest))),
          Math.pow(10, Math.ceil(Math.log10(largest))),
          true);
    }
    double step = niceStep(largest);
    return new Axis(label, 0, Math.max(step, Math.ceil(largest / step) * step), false);
  }

  /** Where a value lies between 0 and 1. */
  double position(double value) {
    double position =
        logarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return Math.clamp(position, 0, 1);
  }

  /** The values to write at the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = from; tick <= to * 1.001; tick *= 10) {
        ticks.add(tick);
      }
    } else {
      double step = niceStep(to - from);
      for (int i = 0; from + i * step <= to + step / 1000; i++) {
        ticks.add(from + i * step);
      }
    }
    return ticks;
  }

  /** A tick as text, with as many digits as the steps between them need. */
  String text(double tick) {
    double step = logarithmic ? tick : niceStep(to - from);
    return Numbers.fixed(tick, (int) Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  }

  /** A step of 1, 2 or 5 times a power of ten that divides the range into 3 to 8. */
  private static double niceStep(double range) {
    double raw = Math.max(range, 1e-9) / 8;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double factor = raw / power;
    double nice = factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10;
    return nice * power;
  }
}
