package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.State;
import dev.xsched.cli.report.Axis;
import dev.xsched.cli.report.BarChart;
import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Heading;
import dev.xsched.cli.report.Look;
import dev.xsched.cli.report.Origin;
import dev.xsched.sim.experiment.PaperData;
import dev.xsched.sim.experiment.PaperData.Config;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The foreground's P99 as a multiple of that alone, for our devices and all of the paper's: the one
 * number by which devices of different speed compare.
 */
final class TailRatios {
  private static final String KEY = "foreground_p99_latency_";
  private static final double GOAL = 1.30;

  private TailRatios() {}

  /** Empty where no record has the numbers. */
  static Optional<Chart> chart(List<RunRecord> records) {
    List<BarChart.Series> series = new ArrayList<>();
    for (boolean simulated : new boolean[] {false, true}) {
      for (Config config : List.of(Config.NATIVE, Config.XSCHED)) {
        Map<String, Double> values = new LinkedHashMap<>();
        for (RunRecord record : records) {
          if (record.simulated() == simulated && record.state() == State.COMPLETE) {
            ratio(record, word(config))
                .ifPresent(value -> values.put(group(record.device()), value));
          }
        }
        if (!values.isEmpty()) {
          Look look = look(config, simulated ? Origin.SIMULATED : Origin.MEASURED);
          series.add(new BarChart.Series(word(config), look, values));
        }
      }
    }
    if (series.isEmpty()) {
      return Optional.empty();
    }
    series.addAll(paper());
    Set<String> groups = new LinkedHashSet<>();
    series.forEach(s -> groups.addAll(s.values().keySet()));
    Map<String, Double> goal = new LinkedHashMap<>();
    groups.forEach(group -> goal.put(group, GOAL));
    series.add(new BarChart.Series("below 1.30x", new Look(0, Origin.GOAL), goal));
    double most =
        series.stream()
            .flatMap(s -> s.values().values().stream())
            .mapToDouble(v -> v)
            .max()
            .orElse(GOAL);
    return Optional.of(
        new BarChart(
            new Heading("P99 against standalone, all devices", labels(records), ""),
            List.copyOf(groups),
            Axis.linear("P99 / P99 standalone", 0, most * 1.06),
            series));
  }

  private static List<BarChart.Series> paper() {
    List<BarChart.Series> series = new ArrayList<>();
    for (Config config : List.of(Config.NATIVE, Config.XSCHED)) {
      Map<String, Double> values = new LinkedHashMap<>();
      PaperData.fixedPriority().stream()
          .filter(row -> row.config() == config)
          .forEach(row -> values.put(row.xpu(), row.p99Ratio()));
      series.add(new BarChart.Series(word(config), look(config, Origin.PAPER), values));
    }
    series.add(
        new BarChart.Series(
            "xsched at most, by its text", new Look(4, Origin.PAPER), Map.of("mi50", GOAL)));
    return series;
  }

  /** A label that is not true of all must not say so. */
  private static List<String> labels(List<RunRecord> records) {
    List<String> labels = new ArrayList<>();
    for (String label : List.of("simulated", "stand-in", "quick")) {
      long labelled = records.stream().filter(r -> r.labels().contains(label)).count();
      if (labelled > 0) {
        labels.add(labelled == records.size() ? label : "partly " + label);
      }
    }
    return labels;
  }

  private static OptionalDouble ratio(RunRecord record, String config) {
    return record.results().get(KEY + config) instanceof Double p99
            && record.results().get(KEY + "standalone") instanceof Double alone
            && alone > 0
        ? OptionalDouble.of(p99 / alone)
        : OptionalDouble.empty();
  }

  /** A model stands beside the device that it is a model of. */
  private static String group(String device) {
    return device.startsWith("sim:") ? device.substring(4) : device;
  }

  private static Look look(Config config, Origin origin) {
    return new Look(config == Config.NATIVE ? 1 : 2, origin);
  }

  private static String word(Config config) {
    return config.name().toLowerCase(Locale.ROOT);
  }
}
