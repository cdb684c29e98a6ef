package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.OnNvidia.BERT_EAGER;
import static dev.xsched.bench.experiment.OnNvidia.RESNET_64;
import static dev.xsched.bench.experiment.Scenes.MPS;
import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.STANDALONE;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Samples;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;

/**
 * N.5: Bert-large kernel by kernel, with a latency goal, beside ResNet-50 in batches of 64. Such a
 * program has work most of the time while the GPU idles for most of it: strict priority wastes
 * that, policy SLO is to give it away and to keep the goal.
 */
final class GoalBesideBatches implements Experiment {
  static final String HPF = "hpf";
  static final String SLO = "slo";
  private static final long GOAL_THOUSANDTHS = 1_050;
  private static final int PER_SECOND = 50;

  /** SLO first learns over 50 requests what they take alone, then how much it can give away. */
  private static final Duration LEARNING = Duration.ofSeconds(7);

  @Override
  public String id() {
    return "N.5";
  }

  @Override
  public String title() {
    return "NVIDIA: a latency goal, and what it leaves to batches";
  }

  @Override
  public String figure() {
    return "N.5";
  }

  private static Duration length(Extent extent) {
    return extent.quick() ? Duration.ofSeconds(2) : Duration.ofSeconds(10);
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent)
        .plus(OnNvidia.WARM_UP)
        .multipliedBy(5)
        .plus(LEARNING)
        .multipliedBy(OnNvidia.repetitions(extent));
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    findings.configure("high_goal", "P99 at most 1.05x of alone");
    Runs runs = director.amongThemselves(scenes(length(extent)), OnNvidia.repetitions(extent));
    judge(runs, findings);
  }

  static List<Scene> scenes(Duration length) {
    // Who comes while another is served goes: a wait for that one would tell of the load alone.
    Pattern pace =
        new Pattern.Paced(
            Duration.ofSeconds(1).dividedBy(PER_SECOND),
            new Pattern.Spacing.Around(0.1),
            Pattern.WhenBusy.DROP);
    Party high =
        Party.of(BERT_EAGER, Workload.Named.BERT_LARGE_EAGER, pace)
            .with(Hint.PRIORITY, OnNvidia.HIGH)
            .with(Hint.SLO_RATIO, GOAL_THOUSANDTHS);
    Party low = OnNvidia.resnet64();
    List<Scene> scenes = new ArrayList<>();
    scenes.addAll(
        new Scenes(OnNvidia.WARM_UP, length)
            .add(STANDALONE, OnNvidia.NATIVELY, high)
            .add(NATIVE, OnNvidia.NATIVELY, low, high)
            .add(MPS, OnNvidia.UNDER_MPS, low, high)
            .add(HPF, OnNvidia.HPF_AUTO, low, high)
            .list());
    scenes.addAll(
        new Scenes(LEARNING, length).add(SLO, Control.Scheduled.by("SLO"), low, high).list());
    return scenes;
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = Figure.ofLatencies("N.5", null);
    for (String label : Scenes.played(runs, STANDALONE, NATIVE, MPS, HPF, SLO)) {
      findings.put("high_p50_latency_" + label, runs.percentile(50, label, BERT_EAGER));
      findings.put("high_p99_latency_" + label, runs.percentile(99, label, BERT_EAGER));
      findings.series().add(figure.cdf(label, runs.latencies(label, BERT_EAGER)));
    }
    for (String label : Scenes.played(runs, NATIVE, MPS, HPF, SLO)) {
      findings.put("low_throughput_" + label, low(runs, label));
      findings.put(
          "high_p99_ratio_" + label, runs.percentileRatio(99, label, STANDALONE, BERT_EAGER));
    }
    findings.put("high_p99_standalone_spread", spread(runs));
    Validity.competition(findings, runs, NATIVE, SLO);
    Measure ratio = runs.percentileRatio(99, SLO, STANDALONE, BERT_EAGER);
    Validity.latencyAgainstStandalone(findings, "the high P99 under SLO", ratio);
    findings.below("high P99 under SLO, against standalone", ratio, 1.05, "x", null);
    findings.above(
        "low under SLO", low(runs, SLO), 110, "it/s", "H200: native 124, strict priority 66");
    findings.above(
        "low under SLO, of native",
        runs.meanRatio(
            SLO,
            o -> OnNvidia.perSecond(o, RESNET_64),
            NATIVE,
            o -> OnNvidia.perSecond(o, RESNET_64)),
        0.89,
        "x",
        null);
  }

  private static Measure low(Runs runs, String label) {
    return runs.mean(label, o -> OnNvidia.perSecond(o, RESNET_64));
  }

  /**
   * By what factor the P99 alone differs between repetitions: that much is the processor's noise.
   */
  private static double spread(Runs runs) {
    DoubleSummaryStatistics p99 =
        runs.of(STANDALONE).stream()
            .map(o -> List.of(o.party(BERT_EAGER).requests().latencies()))
            .mapToDouble(nanos -> Samples.percentile(99, nanos, STANDALONE).value())
            .summaryStatistics();
    return p99.getMax() / p99.getMin();
  }
}
