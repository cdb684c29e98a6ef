package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.Curve.Point;
import dev.xsched.bench.record.Curve.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** What is aimed at, for records that do not say it themselves. */
final class Goals {
  /**
   * A bound.
   *
   * @param of a word in the name of the bars it is for, or empty for all
   */
  private record Goal(String figure, String name, String of, double value, Unit unit) {}

  private static final List<Goal> ALL =
      List.of(
          new Goal("9-bottom", "75 %", "foreground", 0.75, Unit.RATIO),
          new Goal("9-bottom", "25 %", "background", 0.25, Unit.RATIO),
          new Goal("11c", "below 3 %", "", 3, Unit.PERCENT),
          new Goal("12a", "below 3.4 %", "", 3.4, Unit.PERCENT),
          new Goal("12b", "below 5 %", "", 5, Unit.PERCENT),
          new Goal("13-left", "production above 0.95", "production", 0.95, Unit.RATIO),
          new Goal("13-left", "opportunistic above 0.10", "opportunistic", 0.10, Unit.RATIO),
          new Goal("13-right", "production below 1.05x", "production", 1.05, Unit.RATIO),
          new Goal("14", "P99 below 100 ms", "", 100, Unit.MILLISECONDS),
          new Goal("15a", "below 1.10x", "", 1.10, Unit.RATIO),
          new Goal("F.4", "P99 below 50 ms", "", 50, Unit.MILLISECONDS),
          new Goal("N.2", "below 1.15x", "xsched", 1.15, Unit.RATIO),
          new Goal("N.3", "0.7 ms", "", 0.7, Unit.MILLISECONDS));

  private Goals() {}

  /** Returns the strokes and lines for one panel. */
  static List<Curve> beside(String figure, List<Curve> own) {
    List<Curve> goals = new ArrayList<>();
    Curve first = own.getFirst();
    if (figure.equals("15b") && Unit.of(first.unit()) == Unit.MILLISECONDS) {
      goals.add(goal(first, "P99 400 ms / 1.3 at 1000 req/s", List.of(point(1000, 400 / 1.3))));
    }
    for (Goal goal : ALL) {
      OptionalDouble bound = goal.unit().convert(goal.value(), Unit.of(first.unit()));
      if (goal.figure().equals(figure) && bound.isPresent()) {
        List<Point> points = across(own, goal.of(), bound.getAsDouble());
        if (!points.isEmpty()) {
          goals.add(goal(first, goal.name(), points));
        }
      }
    }
    return goals;
  }

  /** A stroke for every bar, the level of a line, or the P99 of a distribution. */
  private static List<Point> across(List<Curve> own, String word, double bound) {
    Kind kind = own.getFirst().kind();
    if (kind == Kind.CDF) {
      return List.of(point(bound, 0), point(bound, 0.99));
    }
    if (kind == Kind.LINE) {
      double from =
          own.stream().flatMap(c -> c.points().stream()).mapToDouble(Point::x).min().orElse(0);
      double to =
          own.stream().flatMap(c -> c.points().stream()).mapToDouble(Point::x).max().orElse(1);
      return List.of(point(from, bound), point(to, bound));
    }
    boolean inSeries =
        own.stream().anyMatch(curve -> curve.name().toLowerCase(Locale.ROOT).contains(word));
    boolean inLabels =
        own.stream()
            .flatMap(curve -> curve.points().stream())
            .anyMatch(point -> point.label().toLowerCase(Locale.ROOT).contains(word));
    return own.stream()
        .flatMap(curve -> curve.points().stream())
        .map(Point::label)
        .distinct()
        .filter(label -> inSeries || !inLabels || label.toLowerCase(Locale.ROOT).contains(word))
        .map(label -> new Point(label, 0, bound))
        .toList();
  }

  private static Curve goal(Curve beside, String name, List<Point> points) {
    return new Curve(
        beside.figure(),
        beside.panel(),
        name,
        beside.kind() == Kind.CDF ? Kind.LINE : beside.kind(),
        Source.GOAL,
        beside.unit(),
        beside.xLabel(),
        beside.yLabel(),
        points);
  }

  private static Point point(double x, double y) {
    return new Point(Double.toString(x), x, y);
  }
}
