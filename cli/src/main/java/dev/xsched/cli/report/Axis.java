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
      return byRatio(label, smallest, largest);
    }
    return linear(label, smallest, largest);
  }

  /** An axis in equal steps that shows 0 and these values. */
  public static Axis linear(String label, double smallest, double largest) {
    double low = Math.min(0, smallest);
    double high = Math.max(0, largest);
    double step = niceStep(high > low ? high - low : 1);
    double to = Math.ceil(high / step) * step;
    return new Axis(label, Math.floor(low / step) * step, low < 0 ? to : Math.max(step, to), false);
  }

  /** An axis by ratio, from and to a power of ten; where a value is not above 0, in equal steps. */
  public static Axis byRatio(String label, double smallest, double largest) {
    if (smallest <= 0) {
      return linear(label, smallest, largest);
    }
    double from = Math.pow(10, Math.floor(Math.log10(smallest)));
    double to = Math.pow(10, Math.ceil(Math.log10(largest)));
    return new Axis(label, from, to > from ? to : from * 10, true);
  }

  /** Where a value lies between 0 and 1. */
  double position(double value) {
    if (logarithmic && value <= from) {
      return 0; // And where there is no logarithm.
    }
    double position =
        logarithmic ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return Math.clamp(position, 0, 1);
  }

  /** The values to write at the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      boolean fewDecades = to / from < 150;
      for (double tick = from; tick <= to * 1.001; tick *= 10) {
        ticks.add(tick);
        if (fewDecades && tick * 5 < to) {
          ticks.add(tick * 2);
          ticks.add(tick * 5);
        }
      }
    } else {
      double step = niceStep(to - from);
      long first = (long) Math.ceil(from / step - 1e-6);
      for (long i = first; i * step <= to + step / 1000; i++) {
        ticks.add(i * step);
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
