package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.queue.LaunchWindow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * 7.3.3, figure 11c: what a bound on the commands in flight costs a program that is alone, for
 * several bounds and command times, and what the adaptive window costs.
 */
final class ThresholdOverhead implements Experiment {
  private static final List<Integer> THRESHOLDS = List.of(1, 2, 4, 6, 8, 10, 16);
  private static final List<Integer> MICROS = List.of(10, 100, 1_000);
  private static final String ADAPTIVE = "adaptive";
  private static final String NONE = "none";
  private static final String PARTY = "alone";
  private static final double ACCEPTABLE_PERCENT = 3;

  @Override
  public String id() {
    return "7.3.3";
  }

  @Override
  public String title() {
    return "Runtime overhead against the commands in flight";
  }

  @Override
  public String figure() {
    return "11c";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return sceneLength(extent).multipliedBy(3L * extent.repetitions() * (THRESHOLDS.size() + 2));
  }

  private static Duration sceneLength(Extent extent) {
    return extent.quick() ? Duration.ofMillis(350) : Duration.ofSeconds(3);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Map<Integer, Runs> byMicros = new LinkedHashMap<>();
    for (int micros : MICROS) {
      byMicros.put(micros, director.byTurns(scenes(director.extent(), micros).list()));
    }
    judge(byMicros, findings);
  }

  private static Scenes scenes(Extent extent, int micros) {
    // Requests of at least 10 ms, so that the ends of requests do not count.
    Workload work =
        new Workload.Commands(Duration.ofNanos(1_000L * micros), Math.max(20, 20_000 / micros));
    Party party = Party.of(PARTY, work, new Pattern.Continuous());
    Duration length = sceneLength(extent);
    Scenes scenes = new Scenes(length.dividedBy(5), length).add(NONE, new Control.Native(), party);
    Control.Scheduled xsched = Control.Scheduled.by("HPF");
    for (int threshold : THRESHOLDS) {
      scenes.add(
          "threshold " + threshold,
          xsched.with(new LaunchWindow.Fixed(threshold, Math.max(1, threshold / 2))),
          party);
    }
    return scenes.add(ADAPTIVE, xsched, party);
  }

  static void judge(Map<Integer, Runs> byMicros, Findings findings) {
    Map<Integer, Double> worst = new LinkedHashMap<>();
    Figure figure =
        new Figure("11c", null, "%", "most commands in flight", "runtime overhead (percent)");
    byMicros.forEach(
        (micros, runs) -> {
          List<List<Object>> points = new ArrayList<>();
          for (int threshold : THRESHOLDS) {
            Measure percent = percent(findings, micros, runs, "threshold " + threshold);
            findings.put(
                "overhead_percent_command_%d_threshold_%d".formatted(micros, threshold), percent);
            points.add(List.of(threshold, percent.value()));
            worst.merge(threshold, percent.value(), Math::max);
          }
          Measure adaptive = percent(findings, micros, runs, ADAPTIVE);
          findings.put("overhead_percent_command_%d_adaptive".formatted(micros), adaptive);
          worst.merge(0, adaptive.value(), Math::max);
          String name = "T = %s ms".formatted(micros / 1e3);
          findings.series().add(figure.line(name, Figure.MEASURED, points));
          findings
              .series()
              .add(
                  figure.line(
                      name + ", adaptive window",
                      Figure.MEASURED,
                      List.of(
                          List.of(THRESHOLDS.getFirst(), adaptive.value()),
                          List.of(THRESHOLDS.getLast(), adaptive.value()))));
        });
    int recommended =
        THRESHOLDS.stream()
            .filter(t -> worst.getOrDefault(t, Double.NaN) < ACCEPTABLE_PERCENT)
            .findFirst()
            .orElse(-1);
    findings.put("recommended_threshold", recommended);
    findings.holds(
        "overhead falls with the threshold, from 1 to 10, points",
        "> 0",
        Measure.exactly(at(worst, 1) - at(worst, 10)),
        at(worst, 1) > at(worst, 10),
        "falls");
    findings.below(
        "overhead at 10 in flight, the worst command time",
        Measure.exactly(at(worst, 10)),
        1,
        "%",
        "< 1 %");
    findings.holds(
        "smallest threshold with less than 3 %",
        "there is one", Measure.exactly(recommended), recommended > 0, null);
    findings.goalBelow(
        "overhead of the adaptive window, the worst command time",
        Measure.exactly(at(worst, 0)),
        1,
        "%",
        null);
  }

  private static Measure percent(Findings findings, int micros, Runs runs, String label) {
    String what = "with commands of %d us and %s, the program".formatted(micros, label);
    return Overhead.runtimePercent(findings, what, runs, label, NONE, PARTY);
  }

  private static double at(Map<Integer, Double> worst, int threshold) {
    return worst.getOrDefault(threshold, Double.NaN);
  }
}
