package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Table;
import dev.xsched.cli.report.figure.Figure.TitledTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Gathers what all records have for each figure. */
public final class Figures {
  /**
   * The one to show: complete before partial before invalid, full before quick, then the newest.
   */
  private static final Comparator<RunRecord> BEST =
      Comparator.comparing(RunRecord::state)
          .thenComparing(RunRecord::quick)
          .thenComparing(RunRecord::date, Comparator.reverseOrder());

  private Figures() {}

  /** Returns the figures that there is something for, in the order of the paper. */
  public static List<Figure> of(List<RunRecord> records) {
    Map<String, List<RunRecord>> byFigure = new TreeMap<>(FigureKind.ORDER);
    for (RunRecord record : records) {
      record.series().stream()
          .map(Curve::figure)
          .distinct()
          .forEach(id -> byFigure.computeIfAbsent(id, _ -> new ArrayList<>()).add(record));
    }
    return byFigure.entrySet().stream()
        .map(entry -> figure(FigureKind.of(entry.getKey()), entry.getValue()))
        .toList();
  }

  private static Figure figure(FigureKind kind, List<RunRecord> candidates) {
    List<RunRecord> shown = onePerDevice(candidates);
    List<Panel> panels = shown.stream().flatMap(r -> panels(kind.id(), r).stream()).toList();
    Optional<Chart> ratios = kind.id().equals("9-top") ? TailRatios.chart(shown) : Optional.empty();
    // One chart with the ratios of all devices says more than one for each.
    List<Panel> wanted = panels.stream().filter(p -> ratios.isEmpty() || !p.bars()).toList();
    List<Panel> drawn =
        kind.shape() == FigureKind.Shape.TOGETHER ? Together.of(wanted) : paperOnce(wanted);
    boolean tabular = kind.shape() == FigureKind.Shape.TABLE;
    Set<String> names =
        drawn.stream()
            .flatMap(p -> p.curves().stream())
            .filter(curve -> curve.source() != Curve.Source.GOAL)
            .map(Curve::name)
            .collect(Collectors.toCollection(LinkedHashSet::new));
    PanelCharts charts = new PanelCharts(kind, new Hues(names));
    List<Chart> pictures =
        new ArrayList<>(
            drawn.stream().filter(p -> !(tabular && p.bars())).map(charts::chart).toList());
    ratios.ifPresent(pictures::add);
    List<TitledTable> tables =
        new ArrayList<>(
            drawn.stream().filter(p -> tabular && p.bars()).map(Figures::table).toList());
    if (tabular && tables.isEmpty()) {
      shown.forEach(record -> tables.addAll(results(record)));
    }
    return new Figure(
        kind.id(),
        kind.title(),
        pictures,
        tables,
        remarks(kind, shown, candidates.size()),
        FigureCsv.of(panels));
  }

  private static List<RunRecord> onePerDevice(List<RunRecord> candidates) {
    Map<String, RunRecord> best = new LinkedHashMap<>();
    for (RunRecord record : candidates) {
      best.merge(
          record.testId() + " " + record.device() + " " + record.simulated(),
          record,
          (a, b) -> BEST.compare(a, b) <= 0 ? a : b);
    }
    return List.copyOf(best.values());
  }

  /** Bars and lines of the same part cannot share a chart. */
  private static List<Panel> panels(String figure, RunRecord record) {
    Map<String, List<Curve>> parts = new LinkedHashMap<>();
    for (Curve curve : record.series()) {
      if (curve.figure().equals(figure)) {
        String part = curve.panel() + (curve.kind() == Kind.BAR ? "\nbars" : "\nlines");
        parts.computeIfAbsent(part, _ -> new ArrayList<>()).add(curve);
      }
    }
    return parts.values().stream()
        .map(curves -> Panel.of(record, figure, curves.getFirst().panel(), curves))
        .toList();
  }

  /** What only the paper has is the same for every device. */
  private static List<Panel> paperOnce(List<Panel> panels) {
    Set<String> seen = new HashSet<>();
    return panels.stream().filter(p -> p.own() || seen.add(p.title())).toList();
  }

  /** The results that were measured in several configurations. */
  private static List<TitledTable> results(RunRecord record) {
    return ResultTables.of(record).stream()
        .filter(table -> table.header().size() > 2)
        .map(table -> new TitledTable(record.labelledDevice(), table))
        .toList();
  }

  private static TitledTable table(Panel panel) {
    Set<String> rows = new LinkedHashSet<>();
    List<String> header = new ArrayList<>(List.of(panel.curves().getFirst().unit()));
    for (Curve curve : panel.curves()) {
      curve.points().forEach(point -> rows.add(point.label()));
      header.add(curve.name() + ", " + panel.origin(curve).word());
    }
    List<List<String>> lines = new ArrayList<>();
    for (String row : rows) {
      List<String> line = new ArrayList<>(List.of(row));
      for (Curve curve : panel.curves()) {
        line.add(
            curve.points().stream()
                .filter(point -> point.label().equals(row))
                .map(point -> Numbers.readable(point.y()))
                .findFirst()
                .orElse(""));
      }
      lines.add(line);
    }
    String labels = panel.labels().isEmpty() ? "" : " (" + String.join(", ", panel.labels()) + ")";
    return new TitledTable(panel.title() + labels, new Table(header, lines));
  }

  private static List<String> remarks(FigureKind kind, List<RunRecord> shown, int candidates) {
    List<String> remarks = new ArrayList<>(kind.remarks());
    String counts =
        shown.stream()
            .filter(record -> !samples(record).isEmpty())
            .map(record -> record.labelledDevice() + " " + samples(record))
            .collect(Collectors.joining("; "));
    remarks.add("Samples: " + (counts.isEmpty() ? "not recorded" : counts) + ".");
    if (candidates > shown.size()) {
      remarks.add(
          "Of several records of a device the complete, the full and the newest is drawn; all are"
              + " in the table.");
    }
    return remarks;
  }

  private static String samples(RunRecord record) {
    var counts =
        record.results().entrySet().stream()
            .filter(e -> e.getKey().endsWith("_samples") && e.getValue() instanceof Double)
            .mapToLong(e -> ((Double) e.getValue()).longValue())
            .summaryStatistics();
    if (counts.getCount() == 0) {
      return "";
    }
    return counts.getMin() == counts.getMax()
        ? Long.toString(counts.getMin())
        : counts.getMin() + " to " + counts.getMax();
  }
}
