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
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Requests;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * N.2: bursts of 100 tiny kernels, each waited for, beside kernels of 5, 50 and 400 ms. A GPU that
 * takes turns gives the long ones a turn after each tiny one. So the first kernel of a burst may
 * pay for preemption; the others must find the GPU free.
 */
final class TinyKernelBursts implements Experiment {
  static final String BURSTS = "bursts";
  static final String LOW = "low";
  private static final List<Integer> MILLIS = List.of(5, 50, 400);
  private static final int KERNELS = 100;

  /**
   * MPS does not preempt: each kernel of a burst waits for a long one, 5 s beside those of 50 ms.
   */
  private static final int LONGEST_UNDER_MPS = 5;

  /** Half a second each, the last one shorter, because the long kernels end with the scene. */
  private static final int BURSTS_UNDER_MPS = 5;

  /** A burst that comes while the last one is at work is left out: there is always a pause. */
  private static final Pattern PACE =
      new Pattern.Paced(
          Duration.ofMillis(30), new Pattern.Spacing.Around(0.5), Pattern.WhenBusy.DROP);

  private static final Duration WARM_UP = Duration.ofMillis(200);
  private static final Duration ALONE = Duration.ofMillis(500);

  @Override
  public String id() {
    return "N.2";
  }

  @Override
  public String title() {
    return "NVIDIA: bursts of tiny kernels beside long ones";
  }

  @Override
  public String figure() {
    return "N.2";
  }

  private static Duration length(Extent extent) {
    return extent.quick() ? Duration.ofSeconds(1) : Duration.ofSeconds(5);
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return ALONE
        .plus(WARM_UP.multipliedBy(3))
        .plus(length(extent).multipliedBy(3))
        .multipliedBy((long) MILLIS.size() * OnNvidia.repetitions(extent))
        .plus(
            underMps(length(extent), LONGEST_UNDER_MPS).multipliedBy(OnNvidia.repetitions(extent)));
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    findings.configure("burst", KERNELS + " kernels of one small group, each waited for");
    for (int millis : MILLIS) {
      Runs runs =
          director.amongThemselves(scenes(millis, length(extent)), OnNvidia.repetitions(extent));
      judge(runs, millis, findings);
    }
    draw(director.played(), findings);
  }

  static String scene(String which, int millis) {
    return "%s %d ms".formatted(which, millis);
  }

  static List<Scene> scenes(int millis, Duration length) {
    Party bursts =
        Party.of(BURSTS, new Workload.TinyKernels(KERNELS), PACE)
            .with(Hint.PRIORITY, OnNvidia.HIGH);
    Party low =
        Party.of(
            LOW, new Workload.Commands(Duration.ofMillis(millis), 1), new Pattern.Continuous());
    List<Scene> scenes = new ArrayList<>();
    scenes.addAll(
        new Scenes(WARM_UP, ALONE)
            .add(scene(STANDALONE, millis), OnNvidia.NATIVELY, bursts)
            .list());
    scenes.addAll(
        new Scenes(WARM_UP, length)
            .add(scene(NATIVE, millis), OnNvidia.NATIVELY, low, bursts)
            .add(scene(XSCHED, millis), OnNvidia.HPF_AUTO, low, bursts)
            .list());
    if (millis <= LONGEST_UNDER_MPS) {
      scenes.addAll(
          new Scenes(WARM_UP, underMps(length, millis))
              .add(scene(MPS, millis), OnNvidia.UNDER_MPS, low, bursts)
              .list());
    }
    return scenes;
  }

  private static Duration underMps(Duration length, int millis) {
    Duration several = Duration.ofMillis((long) BURSTS_UNDER_MPS * KERNELS * millis);
    return length.compareTo(several) > 0 ? length : several;
  }

  static void judge(Runs runs, int millis, Findings findings) {
    String beside = "beside_%d_ms_".formatted(millis);
    for (String label : played(runs, millis, STANDALONE, NATIVE, MPS, XSCHED)) {
      String scene = scene(label, millis);
      findings.put(
          beside + "rest_p50_latency_" + label,
          runs.percentile(50, Requests::rests, scene, BURSTS));
      findings.put(
          beside + "first_p50_latency_" + label,
          runs.percentile(50, Requests::firsts, scene, BURSTS));
      findings.put(beside + "first_max_latency_" + label, longestFirst(runs, scene));
      findings.put(
          beside + "slowest_other_p50_latency_" + label,
          runs.percentile(50, Requests::longests, scene, BURSTS));
    }
    for (String label : played(runs, millis, NATIVE, MPS, XSCHED)) {
      findings.put(
          beside + "low_throughput_" + label,
          runs.mean(scene(label, millis), o -> OnNvidia.perSecond(o, LOW)));
      findings.put(beside + "rest_ratio_" + label, ratio(runs, label, millis));
    }
    Validity.contention(findings, runs, scene(NATIVE, millis), scene(XSCHED, millis));
    Measure ratio = ratio(runs, XSCHED, millis);
    Validity.latencyAgainstStandalone(
        findings, "the burst beside kernels of %d ms".formatted(millis), ratio);
    findings.below(
        "beside %d ms: burst without its first kernel, against standalone".formatted(millis),
        ratio,
        1.15,
        "x",
        null);
  }

  private static void draw(Runs runs, Findings findings) {
    Figure figure =
        Figure.ofBars("N.2", null, "x", "burst without its first kernel, against standalone");
    for (String label : List.of(NATIVE, MPS, XSCHED)) {
      List<List<Object>> bars = new ArrayList<>();
      for (int millis : MILLIS) {
        double ratio =
            runs.has(scene(label, millis)) ? ratio(runs, label, millis).value() : Double.NaN;
        if (!Double.isNaN(ratio)) {
          bars.add(List.of("beside %d ms".formatted(millis), ratio));
        }
      }
      if (!bars.isEmpty()) {
        findings.series().add(figure.bars(label, Figure.MEASURED, bars));
      }
    }
  }

  private static List<String> played(Runs runs, int millis, String... labels) {
    return Stream.of(labels).filter(label -> runs.has(scene(label, millis))).toList();
  }

  private static Measure ratio(Runs runs, String label, int millis) {
    return runs.percentileRatio(
        50, Requests::rests, scene(label, millis), scene(STANDALONE, millis), BURSTS);
  }

  /** There are too few bursts for a P99. */
  private static Measure longestFirst(Runs runs, String scene) {
    return runs.percentile(100, Requests::firsts, scene, BURSTS);
  }
}
