package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.MPS;
import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.STANDALONE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.List;

/**
 * F.3 and F.4: ResNet-18 at a few requests a second, which matters, beside ResNet-50 in batches
 * without a pause, which does not.
 */
final class DualModel implements Experiment {
  private static final String HIGH = "high";
  private static final String LOW = "low";

  private final boolean heavy;

  private DualModel(boolean heavy) {
    this.heavy = heavy;
  }

  /** F.3: batches of 8, 10 requests a second. */
  static DualModel light() {
    return new DualModel(false);
  }

  /** F.4: batches of 1024, 20 requests a second. */
  static DualModel heavy() {
    return new DualModel(true);
  }

  @Override
  public String id() {
    return heavy ? "F.4" : "F.3";
  }

  @Override
  public String title() {
    return heavy ? "Two models, heavy: batches of 1024" : "Two models, light: batches of 8";
  }

  @Override
  public String figure() {
    return id();
  }

  private int perSecond() {
    return heavy ? 20 : 10;
  }

  /** Long enough for batches of half a second to be counted. */
  private Duration length(Extent extent) {
    Duration full = Duration.ofSeconds(heavy ? 36 : 12);
    return extent.quick() ? Duration.ofSeconds(4) : full;
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent).multipliedBy(4L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    Duration period = Duration.ofSeconds(1).dividedBy(perSecond());
    Party high =
        Party.of(
                HIGH,
                Workload.Named.RESNET18,
                Pattern.Paced.queued(period, new Pattern.Spacing.Around(0.1)))
            .with(Hint.PRIORITY, 10);
    Party low =
        Party.of(
            LOW,
            heavy ? Workload.Named.RESNET50_B1024 : Workload.Named.RESNET50_B8,
            new Pattern.Continuous());
    Scenes scenes =
        new Scenes(extent.warmUp(period), length(extent))
            .add(STANDALONE, new Control.Native(), high)
            .add(NATIVE, new Control.Native(), low, high)
            .add(MPS, new Control.Mps(), low, high)
            .add(XSCHED, Control.Scheduled.by("HPF"), low, high);
    Runs runs = director.byTurns(scenes.list());
    tabulate(runs, id(), findings);
    if (heavy) {
      judgeHeavy(runs, findings);
    } else {
      judgeLight(runs, findings);
    }
  }

  private static void tabulate(Runs runs, String figure, Findings findings) {
    for (String label : List.of(STANDALONE, NATIVE, MPS, XSCHED)) {
      if (runs.has(label)) {
        findings.put("high_p50_latency_" + label, runs.percentile(50, label, HIGH));
        findings.put("high_p99_latency_" + label, runs.percentile(99, label, HIGH));
        findings.put("high_max_latency_" + label, runs.latencies(label, HIGH).max());
        findings.put("high_throughput_" + label, runs.perSecond(label, HIGH));
        if (!label.equals(STANDALONE)) {
          findings.put("low_throughput_" + label, runs.perSecond(label, LOW));
        }
        findings
            .series()
            .add(Figure.ofLatencies(figure, null).cdf(label, runs.latencies(label, HIGH)));
      }
    }
    Validity.competition(findings, runs, NATIVE, XSCHED);
  }

  static void judgeLight(Runs runs, Findings findings) {
    Measure ratio = runs.percentileRatio(99, XSCHED, NATIVE, HIGH);
    findings.below(
        "high P99, against native", ratio, 1, "x", "MI308X, field: 2.75 against 3.47 ms, 0.79x");
    findings.above(
        "low keeps, of native", kept(runs), 90, "%", "MI308X, field: 163.5 of 165.4 it/s, 99 %");
  }

  static void judgeHeavy(Runs runs, Findings findings) {
    findings.below(
        "high P99",
        runs.percentile(99, XSCHED, HIGH),
        50,
        "ms",
        "MI308X, field: native 574.5 ms; xsched never ran there");
    findings.above(
        "high P99 better than native",
        runs.percentileRatio(99, XSCHED, NATIVE, HIGH).map(ratio -> 100 * (1 - ratio)),
        90,
        "%",
        null);
    findings.above(
        "requests a second that are reached, of 20",
        runs.perSecond(XSCHED, HIGH),
        19.5,
        "/s",
        "MI308X, field: native 13.7");
    findings.above("low keeps, of native", kept(runs), 80, "%", null);
  }

  private static Measure kept(Runs runs) {
    return runs.meanRatio(XSCHED, o -> o.perSecond(LOW), NATIVE, o -> o.perSecond(LOW))
        .map(ratio -> 100 * ratio);
  }
}
