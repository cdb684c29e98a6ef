package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Point;
import dev.xsched.bench.record.Curve.Source;
import dev.xsched.sim.experiment.Csv;
import dev.xsched.sim.experiment.PaperData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The paper's published points to set beside a line or a distribution of ours. */
final class PaperLines {
  private PaperLines() {}

  /** Returns what belongs beside these lines of one panel; nothing where the paper has nothing. */
  static List<Curve> beside(String figure, String model, List<Curve> own) {
    return switch (figure) {
      case "9-top" -> each(own, curve -> foreground(model, curve));
      case "11b" -> each(own, PaperLines::level);
      case "14" -> each(own, PaperLines::frames);
      case "15b" -> serving(own);
      default -> List.of();
    };
  }

  private interface Counterpart {
    Optional<Curve> of(Curve own);
  }

  private static List<Curve> each(List<Curve> own, Counterpart counterpart) {
    return own.stream().map(counterpart::of).flatMap(Optional::stream).toList();
  }

  private static Optional<Curve> foreground(String model, Curve own) {
    return PaperData.fixedPriority().stream()
        .filter(row -> row.xpu().equals(model) && mentions(own.name(), row.config().name()))
        .findFirst()
        .flatMap(row -> middleAndTail(own, own.name(), row.p50Millis(), row.p99Millis()));
  }

  private static Optional<Curve> frames(Curve own) {
    String config =
        mentions(own.name(), "native") ? "native" : mentions(own.name(), "lax") ? "xsched" : "none";
    return Csv.read("paper/video.csv").stream()
        .filter(row -> row.text("config").startsWith(config))
        .findFirst()
        .flatMap(
            row ->
                middleAndTail(
                    own, own.name() + " (NPU3720)", row.number("p50_ms"), row.number("p99_ms")));
  }

  /** All that was published of a distribution. */
  private static Optional<Curve> middleAndTail(Curve own, String name, double p50, double p99) {
    if (own.kind() != Curve.Kind.CDF || Unit.of(own.unit()) != Unit.MILLISECONDS) {
      return Optional.empty();
    }
    return Optional.of(paper(own, name, List.of(point(p50, 0.5), point(p99, 0.99))));
  }

  private static Optional<Curve> level(Curve own) {
    boolean tail = mentions(own.yLabel(), "99");
    Unit x =
        mentions(own.xLabel(), "us") || mentions(own.xLabel(), "µs")
            ? Unit.MICROSECONDS
            : Unit.MILLISECONDS;
    List<Point> points = new ArrayList<>();
    for (var row : PaperData.preemptionLatency()) {
      if (own.name().endsWith(Integer.toString(row.level().number()))) {
        double y = tail ? row.p99Micros() : row.p50Micros();
        Unit.MICROSECONDS
            .convert(y, Unit.of(own.unit()))
            .ifPresent(
                latency ->
                    points.add(
                        point(
                            Unit.MICROSECONDS
                                .convert(row.command().toNanos() / 1e3, x)
                                .orElseThrow(),
                            latency)));
      }
    }
    return points.isEmpty()
        ? Optional.empty()
        : Optional.of(paper(own, own.name() + " (GV100)", points));
  }

  private static List<Curve> serving(List<Curve> own) {
    List<Curve> curves = new ArrayList<>();
    if (own.isEmpty() || Unit.of(own.getFirst().unit()) != Unit.MILLISECONDS) {
      return curves;
    }
    for (String system : List.of("native", "paella", "xsched")) {
      List<Point> points =
          Csv.read("paper/serving_paella.csv").stream()
              .filter(row -> row.text("system").equals(system))
              .map(row -> point(row.number("throughput"), row.number("p99_ms")))
              .toList();
      curves.add(paper(own.getFirst(), system, points));
    }
    return curves;
  }

  private static Curve paper(Curve own, String name, List<Point> points) {
    return new Curve(
        own.figure(),
        own.panel(),
        name,
        Curve.Kind.LINE,
        Source.PAPER,
        own.unit(),
        own.xLabel(),
        own.yLabel(),
        points);
  }

  private static Point point(double x, double y) {
    return new Point(Double.toString(x), x, y);
  }

  private static boolean mentions(String text, String word) {
    return text.toLowerCase(Locale.ROOT).contains(word.toLowerCase(Locale.ROOT));
  }
}
