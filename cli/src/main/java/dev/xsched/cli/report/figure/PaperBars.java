package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.Curve.Point;
import dev.xsched.bench.record.Curve.Source;
import dev.xsched.sim.experiment.Csv;
import dev.xsched.sim.experiment.PaperData;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The paper's number beside each bar of ours. A bar is recognised by the words in its own name and
 * in that of its series, so that either may hold the system.
 */
final class PaperBars {
  /** The command time of figure 11a. */
  private static final Duration COMMAND = Duration.ofNanos(500_000);

  private final String figure;
  private final String model;

  private PaperBars(String figure, String model) {
    this.figure = figure;
    this.model = model;
  }

  /** Returns what belongs beside these bars of one panel; nothing where the paper has nothing. */
  static List<Curve> beside(String figure, String model, List<Curve> own) {
    return own.stream()
        .map(new PaperBars(figure, model)::counterpart)
        .flatMap(Optional::stream)
        .toList();
  }

  private Optional<Curve> counterpart(Curve own) {
    List<Point> points = new ArrayList<>();
    for (Point point : own.points()) {
      String bar = (own.name() + " " + point.label()).toLowerCase(Locale.ROOT);
      value(bar, own).ifPresent(y -> points.add(new Point(point.label(), point.x(), y)));
    }
    if (points.isEmpty()) {
      return Optional.empty();
    }
    String name = own.name() + " (" + device().toUpperCase(Locale.ROOT) + ")";
    return Optional.of(
        new Curve(
            figure,
            own.panel(),
            name,
            Curve.Kind.BAR,
            Source.PAPER,
            own.unit(),
            own.xLabel(),
            own.yLabel(),
            points));
  }

  private OptionalDouble value(String bar, Curve own) {
    Unit unit = Unit.of(own.unit());
    return switch (figure) {
      case "9-bottom" -> in(unit, Unit.RATIO, partition(bar));
      case "11a" -> in(unit, Unit.MICROSECONDS, preemption(bar, own.yLabel().contains("99")));
      case "13-left" -> in(unit, Unit.RATIO, harvest("cotrain", bar));
      case "13-right" -> in(unit, Unit.RATIO, harvest("scifin", bar));
      case "15a" ->
          unit == Unit.RATIO || unit == Unit.PERCENT
              ? in(unit, Unit.RATIO, serving(bar, "p99_vs_standalone"))
              : in(unit, Unit.MILLISECONDS, serving(bar, "p99_ms"));
      default -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble in(Unit wanted, Unit given, OptionalDouble value) {
    return value.isPresent() ? given.convert(value.getAsDouble(), wanted) : value;
  }

  /** Whose numbers these are: of the modelled device, else of the one that is nearest to it. */
  private String device() {
    return switch (figure) {
      case "9-bottom" ->
          PaperData.partition().stream().anyMatch(row -> row.xpu().equals(model)) ? model : "gv100";
      case "13-left", "13-right" -> model.startsWith("mi") ? "mi50" : "gv100";
      default -> "gv100";
    };
  }

  private OptionalDouble partition(String bar) {
    for (var row : PaperData.partition()) {
      if (row.xpu().equals(device())
          && bar.contains(row.config().name().toLowerCase(Locale.ROOT))) {
        if (bar.contains("foreground")) {
          return OptionalDouble.of(row.foreground());
        }
        if (bar.contains("background")) {
          return OptionalDouble.of(row.background());
        }
        if (bar.contains("total")) {
          return OptionalDouble.of(row.foreground() + row.background());
        }
      }
    }
    return OptionalDouble.empty();
  }

  private static OptionalDouble preemption(String bar, boolean tail) {
    return PaperData.preemptionLatency().stream()
        .filter(row -> row.command().equals(COMMAND))
        .filter(
            row ->
                bar.contains("lv" + row.level().number())
                    || bar.contains("level " + row.level().number()))
        .mapToDouble(row -> tail ? row.p99Micros() : row.p50Micros())
        .findFirst();
  }

  /** Medians: speed of a job, or in the case of requests, latency, as a part of that alone. */
  private OptionalDouble harvest(String experiment, String bar) {
    boolean production = bar.contains("production");
    if (!production && !bar.contains("opportunistic")) {
      return OptionalDouble.empty();
    }
    String role = production ? "pjob" : "ojob";
    OptionalDouble alone = median(experiment, "standalone", role);
    OptionalDouble shared = median(experiment, system(bar), role);
    if (alone.isEmpty() || shared.isEmpty()) {
      return OptionalDouble.empty();
    }
    double slowdown = shared.getAsDouble() / alone.getAsDouble();
    boolean latency = production && experiment.equals("scifin");
    return OptionalDouble.of(latency ? slowdown : 1 / slowdown);
  }

  private static String system(String bar) {
    if (bar.contains("sync")) {
      return "xsched_synchronous-launch";
    }
    if (bar.contains("quota") || bar.contains("vcuda")) {
      return "vcuda";
    }
    if (bar.contains("rate") || bar.contains("tgs")) {
      return "tgs";
    }
    return bar.contains("xsched") ? "xsched" : bar.contains("native") ? "native" : "none";
  }

  private OptionalDouble median(String experiment, String system, String role) {
    return Csv.read("paper/harvest.csv").stream()
        .filter(row -> row.text("case").equals(experiment) && row.text("device").equals(device()))
        .filter(row -> row.text("system").equals(system))
        .filter(row -> row.text("role").equals(role) || row.text("role").equals("both"))
        .mapToDouble(row -> row.number("median_ms"))
        .findFirst();
  }

  private static OptionalDouble serving(String bar, String column) {
    String config =
        bar.contains("standalone")
            ? "standalone"
            : bar.contains("xsched")
                ? "triton+xsched"
                : bar.contains("priority") ? "triton+priority" : "triton";
    return Csv.read("paper/serving_triton.csv").stream()
        .filter(row -> row.text("config").equals(config))
        .mapToDouble(row -> row.number(column))
        .findFirst();
  }
}
