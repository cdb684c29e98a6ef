package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.OnNvidia.BERT;
import static dev.xsched.bench.experiment.OnNvidia.RESNET_1024;
import static dev.xsched.bench.experiment.OnNvidia.RESNET_64;
import static dev.xsched.bench.experiment.Scenes.MPS;
import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.STANDALONE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.List;

/**
 * N.4: programs of priority 10, 5 and 0 at once. Time slices know two kinds of programs only, so
 * the one in the middle is preempted by one means and preempts by another. Who is above must not
 * feel who is below.
 */
final class ThreeRanks implements Experiment {
  static final String TWO_RANKS = "two ranks";
  private static final int PER_SECOND = 25;
  private static final long MIDDLE = 5;

  /** The middle one comes at this part of its rate alone. */
  private static final double LOAD = 1 / 3.0;

  private static final double ADVANCES = 1;

  @Override
  public String id() {
    return "N.4";
  }

  @Override
  public String title() {
    return "NVIDIA: three priorities at once";
  }

  @Override
  public String figure() {
    return "N.4";
  }

  /** Over two repetitions more than 200 requests of the highest rank: one in 100 is no tail. */
  private static Duration length(Extent extent) {
    return extent.quick() ? Duration.ofMillis(4_200) : Duration.ofSeconds(8);
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent)
        .plus(OnNvidia.WARM_UP)
        .multipliedBy(5L * OnNvidia.repetitions(extent))
        .plusSeconds(1);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    // Before anything is known of its rate, so that all programs start at once.
    director.getReady(scenes(1, length(extent)));
    double alone =
        OnNvidia.perSecond(director.once(OnNvidia.alone(OnNvidia.resnet64())), RESNET_64);
    findings.put("middle_peak_per_second", alone);
    findings.configure("middle_load", "a third of its rate alone, each iteration waited for");
    Runs runs =
        director.amongThemselves(
            scenes(LOAD * alone, length(extent)), OnNvidia.repetitions(extent));
    judge(runs, findings);
  }

  /** The lowest one is there all the time, and idle in the scene of two. */
  static List<Scene> scenes(double middlePerSecond, Duration length) {
    Party high = OnNvidia.bert(PER_SECOND);
    Party middle =
        Party.of(RESNET_64, Workload.Named.RESNET50_B64, OnNvidia.pace(middlePerSecond))
            .with(Hint.PRIORITY, MIDDLE);
    Party low = OnNvidia.resnet1024();
    return new Scenes(OnNvidia.WARM_UP, length)
        .add(STANDALONE, OnNvidia.NATIVELY, high)
        .add(TWO_RANKS, OnNvidia.HPF_AUTO, middle, high)
        .add(XSCHED, OnNvidia.HPF_AUTO, low, middle, high)
        .add(NATIVE, OnNvidia.NATIVELY, low, middle, high)
        .add(MPS, OnNvidia.UNDER_MPS, low, middle, high)
        .list();
  }

  static void judge(Runs runs, Findings findings) {
    for (String label : Scenes.played(runs, STANDALONE, TWO_RANKS, XSCHED, NATIVE, MPS)) {
      tabulate(runs, label, "high", "priority 10", BERT, findings);
      if (!label.equals(STANDALONE)) {
        tabulate(runs, label, "middle", "priority 5", RESNET_64, findings);
      }
    }
    for (String label : Scenes.played(runs, XSCHED, NATIVE, MPS)) {
      findings.put("low_throughput_" + label, low(runs, label));
      findings.put("high_p99_ratio_" + label, runs.percentileRatio(99, label, STANDALONE, BERT));
      findings.put(
          "middle_p99_ratio_" + label, runs.percentileRatio(99, label, TWO_RANKS, RESNET_64));
    }
    Validity.competition(findings, runs, NATIVE, XSCHED);
    Measure high = runs.percentileRatio(99, XSCHED, STANDALONE, BERT);
    Measure middle = runs.percentileRatio(99, XSCHED, TWO_RANKS, RESNET_64);
    Validity.latencyAgainstStandalone(findings, "the P99 of priority 10", high);
    findings.below("priority 10: P99 beside both, against alone", high, 1.10, "x", null);
    findings.below(
        "priority 5: P99 beside both, against beside priority 10 only", middle, 1.10, "x", null);
    findings.above("priority 0 advances", low(runs, XSCHED), ADVANCES, "it/s", null);
  }

  private static void tabulate(
      Runs runs, String label, String who, String panel, String party, Findings findings) {
    String scene = label.replace(' ', '_');
    findings.put("%s_p50_latency_%s".formatted(who, scene), runs.percentile(50, label, party));
    findings.put("%s_p99_latency_%s".formatted(who, scene), runs.percentile(99, label, party));
    findings
        .series()
        .add(Figure.ofLatencies("N.4", panel).cdf(label, runs.latencies(label, party)));
  }

  /** By what ended, as it may be nothing. */
  private static Measure low(Runs runs, String label) {
    return runs.perSecond(label, RESNET_1024);
  }
}
