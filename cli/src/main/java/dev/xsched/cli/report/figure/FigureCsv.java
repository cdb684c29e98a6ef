package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The numbers of a figure as comma-separated values, one line each, for one's own plots. */
final class FigureCsv {
  private static final List<String> COLUMNS =
      List.of(
          "figure", "panel", "device", "labels", "series", "source", "kind", "unit", "x", "y",
          "record", "commit");

  private FigureCsv() {}

  static String of(List<Panel> panels) {
    return Stream.concat(Stream.of(line(COLUMNS)), panels.stream().flatMap(FigureCsv::lines))
            .collect(Collectors.joining("\n"))
        + "\n";
  }

  private static Stream<String> lines(Panel panel) {
    return panel.curves().stream()
        .flatMap(curve -> curve.points().stream().map(point -> line(cells(panel, curve, point))));
  }

  private static List<String> cells(Panel panel, Curve curve, Curve.Point point) {
    return List.of(
        curve.figure(),
        panel.name(),
        panel.record().device(),
        String.join(" ", panel.labels()),
        curve.name(),
        panel.origin(curve).word(),
        word(curve.kind()),
        curve.unit(),
        point.label(),
        Double.toString(point.y()),
        panel.record().file(),
        panel.record().commit());
  }

  private static String word(Curve.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static String line(List<String> cells) {
    return cells.stream().map(FigureCsv::quoted).collect(Collectors.joining(","));
  }

  private static String quoted(String cell) {
    boolean plain = cell.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? cell : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
