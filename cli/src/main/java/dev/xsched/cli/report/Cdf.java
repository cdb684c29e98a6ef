package dev.xsched.cli.report;

import dev.xsched.cli.report.LineChart.Point;
import dev.xsched.cli.report.LineChart.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The chart that shows a whole distribution: for each value, the share of samples up to it. */
public final class Cdf {
  /** More points than this cannot be told apart on a screen. */
  private static final int POINTS = 400;

  private Cdf() {}

  /** Draws one line for each name, in the order of the map, with a marker at its P99. */
  public static LineChart chart(
      Heading heading, Origin origin, String unit, Map<String, Samples> named) {
    double smallest = Double.MAX_VALUE;
    double largest = 0;
    List<Series> series = new ArrayList<>();
    for (var entry : named.entrySet()) {
      Samples samples = entry.getValue();
      smallest = Math.min(smallest, samples.get(0));
      largest = Math.max(largest, samples.get(samples.size() - 1));
      series.add(
          new Series(
              entry.getKey(),
              new Look(series.size(), origin),
              points(samples),
              List.of(new Point(samples.percentile(99), 0.99))));
    }
    return LineChart.wide(
        heading,
        Axis.fitting(unit, smallest, largest),
        new Axis("share of requests", 0, 1, false),
        series);
  }

  private static List<Point> points(Samples samples) {
    int n = samples.size();
    int count = Math.min(n, POINTS);
    List<Point> points = new ArrayList<>();
    points.add(new Point(samples.get(0), 0));
    for (int i = 1; i <= count; i++) {
      // Always ends at the very last sample: the tail is what this is about.
      int rank = (int) Math.round((double) i * n / count);
      points.add(new Point(samples.get(rank - 1), (double) rank / n));
    }
    return points;
  }
}
