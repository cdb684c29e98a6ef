package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.Curve.Point;
import dev.xsched.bench.record.Curve.Source;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Bars of several devices in one chart, a group for each: apart, each would be a lone bar. */
final class Together {
  /** What the paper's text says; there is no published data for figure 12. */
  private static final Map<String, List<Point>> TEXT =
      Map.of(
          "12a", List.of(new Point("GV100", 0, 0.7), new Point("MI50", 1, 1.7)),
          "12b", List.of(new Point("MI50", 0, 3.6)));

  private Together() {}

  /** Measured and simulated devices stay apart, so that a label in a picture is true of all. */
  static List<Panel> of(List<Panel> panels) {
    List<Panel> together = new ArrayList<>();
    List<Panel> left = new ArrayList<>(panels);
    while (!left.isEmpty()) {
      Panel first = left.getFirst();
      List<Panel> same =
          left.stream()
              .filter(p -> p.labels().equals(first.labels()) && p.bars() == first.bars())
              .toList();
      left.removeAll(same);
      together.add(first.bars() ? merged(same) : first);
      if (!first.bars()) {
        together.addAll(same.subList(1, same.size()));
      }
    }
    return together;
  }

  private static Panel merged(List<Panel> panels) {
    Panel first = panels.getFirst();
    List<Curve> curves = new ArrayList<>();
    for (Panel panel : panels) {
      for (Curve curve : panel.curves()) {
        add(curves, curve.source() == Source.PAPER ? curve : onDevice(panel, curve));
      }
    }
    String title =
        panels.stream().map(p -> p.record().device()).distinct().collect(Collectors.joining(", "));
    return new Panel(first.record(), "", title, withPaper(curves));
  }

  /** The device is the name of the bar, with what it was called before if there are several. */
  private static Curve onDevice(Panel panel, Curve curve) {
    String device = panel.record().device();
    boolean lone = curve.points().size() == 1;
    return curve.with(
        curve.points().stream()
            .map(p -> new Point(lone ? device : device + " " + p.label(), p.x(), p.y()))
            .toList());
  }

  private static void add(List<Curve> curves, Curve curve) {
    for (int i = 0; i < curves.size(); i++) {
      Curve same = curves.get(i);
      if (same.name().equals(curve.name()) && same.source() == curve.source()) {
        Set<Point> points = new LinkedHashSet<>(same.points());
        points.addAll(curve.points());
        curves.set(i, same.with(List.copyOf(points)));
        return;
      }
    }
    curves.add(curve);
  }

  private static List<Curve> withPaper(List<Curve> curves) {
    Curve first = curves.getFirst();
    List<Point> text = TEXT.get(first.figure());
    boolean given = curves.stream().anyMatch(c -> c.source() == Source.PAPER);
    if (text == null || given || Unit.of(first.unit()) != Unit.PERCENT) {
      return curves;
    }
    List<Curve> all = new ArrayList<>(curves);
    all.add(
        new Curve(
            first.figure(), "", "xsched", Kind.BAR, Source.PAPER, first.unit(), "", "", text));
    return all;
  }
}
