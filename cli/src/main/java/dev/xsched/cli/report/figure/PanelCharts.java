package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.Curve.Source;
import dev.xsched.cli.report.Axis;
import dev.xsched.cli.report.BarChart;
import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Heading;
import dev.xsched.cli.report.LineChart;
import dev.xsched.cli.report.Look;
import dev.xsched.cli.report.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Turns panels into charts. */
final class PanelCharts {
  /** With more points than this, markers would hide the line. */
  private static final int MARKED = 30;

  private final FigureKind kind;
  private final Hues hues;

  PanelCharts(FigureKind kind, Hues hues) {
    this.kind = kind;
    this.hues = hues;
  }

  Chart chart(Panel panel) {
    return panel.bars() ? bars(panel) : lines(panel);
  }

  private LineChart lines(Panel panel) {
    Curve first = panel.curves().getFirst();
    boolean distribution = first.kind() == Kind.CDF;
    String below = label(first.xLabel(), distribution ? first.unit() : "");
    String beside = label(first.yLabel(), distribution ? "" : first.unit());
    Axis x =
        kind.shape() == FigureKind.Shape.LOG_LOG
            ? Axis.byRatio(below, least(panel, Curve.Point::x), most(panel, Curve.Point::x))
            : distribution
                ? Axis.fitting(below, least(panel, Curve.Point::x), most(panel, Curve.Point::x))
                : Axis.linear(below, least(panel, Curve.Point::x), most(panel, Curve.Point::x));
    Axis y =
        distribution
            ? new Axis(beside.isEmpty() ? "share of requests" : beside, 0, 1, false)
            : values(beside, panel);
    String note = distribution ? tails(panel) : "";
    return new LineChart(
        new Heading(panel.title(), panel.labels(), note),
        x,
        y,
        panel.curves().stream().map(curve -> line(panel, curve)).toList());
  }

  private LineChart.Series line(Panel panel, Curve curve) {
    List<LineChart.Point> points =
        curve.points().stream().map(p -> new LineChart.Point(p.x(), p.y())).toList();
    List<LineChart.Point> marks = points.size() > MARKED ? List.of() : points;
    if (curve.kind() == Kind.CDF) {
      marks = List.of(at(points, 0.5), at(points, 0.99));
    } else if (curve.source() == Source.GOAL && points.size() > 1) {
      marks = List.of();
    }
    return new LineChart.Series(curve.name(), look(panel, curve), points, marks);
  }

  private static LineChart.Point at(List<LineChart.Point> points, double share) {
    return points.stream().filter(p -> p.y() >= share).findFirst().orElse(points.getLast());
  }

  /** The P99 of each distribution: as the record has it, else read off the curve. */
  private static String tails(Panel panel) {
    List<String> tails = new ArrayList<>();
    for (Curve curve : panel.curves()) {
      if (curve.kind() == Kind.CDF && curve.source() == Source.MEASURED) {
        List<LineChart.Point> points =
            curve.points().stream().map(p -> new LineChart.Point(p.x(), p.y())).toList();
        OptionalDouble recorded = recordedTail(panel, curve.name());
        tails.add(
            curve.name()
                + (recorded.isPresent() ? " " : " about ")
                + Numbers.significant(recorded.orElse(at(points, 0.99).x())));
      }
    }
    String unit = panel.curves().getFirst().unit();
    return tails.isEmpty() ? "" : "P99: " + String.join(", ", tails) + " " + unit;
  }

  private static OptionalDouble recordedTail(Panel panel, String name) {
    String end = "_" + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    List<Double> found =
        panel.record().results().entrySet().stream()
            .filter(e -> e.getKey().contains("p99") && !e.getKey().contains("ratio"))
            .filter(e -> e.getKey().endsWith(end))
            .filter(e -> e.getValue() instanceof Double)
            .map(e -> (Double) e.getValue())
            .toList();
    return found.size() == 1 ? OptionalDouble.of(found.getFirst()) : OptionalDouble.empty();
  }

  private BarChart bars(Panel panel) {
    Curve first = panel.curves().getFirst();
    Set<String> groups = new LinkedHashSet<>();
    List<BarChart.Series> series = new ArrayList<>();
    for (Curve curve : panel.curves()) {
      Map<String, Double> values = new LinkedHashMap<>();
      curve.points().forEach(p -> values.put(p.label(), p.y()));
      groups.addAll(values.keySet());
      series.add(new BarChart.Series(curve.name(), look(panel, curve), values));
    }
    // The paper's bars beside ours of the same thing.
    List<Integer> order = series.stream().map(s -> s.look().hue()).distinct().toList();
    series.sort(Comparator.comparingInt(s -> order.indexOf(s.look().hue())));
    return new BarChart(
        new Heading(panel.title(), panel.labels(), ""),
        List.copyOf(groups),
        values(label(first.yLabel(), first.unit()), panel),
        series);
  }

  private Axis values(String label, Panel panel) {
    double least = least(panel, Curve.Point::y);
    // Room for the number above the highest bar.
    double most = most(panel, Curve.Point::y) * (panel.bars() ? 1.06 : 1);
    return switch (kind.shape()) {
      // What has no logarithm, or hardly one, lies at the lower end.
      case LOG, LOG_LOG -> Axis.byRatio(label, least > most / 1e5 ? least : most / 1e3, most);
      default -> Axis.linear(label, least, most);
    };
  }

  private Look look(Panel panel, Curve curve) {
    return new Look(hues.of(curve.name()), panel.origin(curve));
  }

  private static double least(Panel panel, ToDoubleFunction<Curve.Point> side) {
    return panel.curves().stream()
        .flatMap(c -> c.points().stream())
        .mapToDouble(side)
        .min()
        .orElse(0);
  }

  private static double most(Panel panel, ToDoubleFunction<Curve.Point> side) {
    return panel.curves().stream()
        .flatMap(c -> c.points().stream())
        .mapToDouble(side)
        .max()
        .orElse(1);
  }

  /** The label with its unit, unless it says it itself. */
  private static String label(String label, String unit) {
    if (label.isEmpty() || unit.isEmpty()) {
      return label + unit;
    }
    List<String> words = List.of(label.split("[ ,()/]+", -1));
    boolean says = words.contains(unit) || (unit.equals("%") && words.contains("percent"));
    return says ? label : label + " (" + unit + ")";
  }
}
