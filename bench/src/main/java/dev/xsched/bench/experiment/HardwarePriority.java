package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.OnNvidia.BERT;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * N.1: Bert-large as one graph at 50 requests a second beside ResNet-50 without a pause, in batches
 * of 64 and of 1024. A graph fills the GPU, and so does a batch: whoever comes first, the other one
 * can only be served in time by preempting it on the GPU. Requests come at moments that vary by a
 * tenth, and in other scenes by the clock: under XSched the GPU turns before they come then.
 */
final class HardwarePriority implements Experiment {
  private static final int PER_SECOND = 50;

  /** A little more than 100 requests. */
  private static final Duration QUICK = Duration.ofMillis(2_150);

  private static final Duration FULL = Duration.ofSeconds(6);
  private static final Duration LOW_ALONE = Duration.ofSeconds(1);

  /** By then it is known that requests come by the clock, and the GPU turns before they do. */
  private static final Duration UNTIL_EXPECTED = Duration.ofSeconds(1);

  static final Low B64 = new Low("b64", "batch 64", OnNvidia.resnet64());
  static final Low B1024 = new Low("b1024", "batch 1024", OnNvidia.resnet1024());
  private static final List<Low> LOWS = List.of(B64, B1024);

  /** How requests come. Those of a clock can be expected; the others vary by a tenth. */
  private enum Arrivals {
    UNEVEN("", ""),
    CLOCK(", by the clock", "_by_the_clock");

    private final String words;
    private final String key;

    Arrivals(String words, String key) {
      this.words = words;
      this.key = key;
    }

    private String of(String label) {
      return label + words;
    }
  }

  /** Who gives way, and by what the results of its scenes are told apart. */
  record Low(String label, String title, Party party) {
    String scene(String which) {
      return which + " " + label;
    }

    private String aloneScene() {
      return scene("low standalone");
    }

    private String result(String what, String which) {
      return "%s_%s_%s".formatted(label, what, which);
    }
  }

  @Override
  public String id() {
    return "N.1";
  }

  @Override
  public String title() {
    return "NVIDIA: a graph at 50 requests/s beside batches";
  }

  @Override
  public String figure() {
    return "N.1";
  }

  private static Duration length(Extent extent) {
    return extent.quick() ? QUICK : FULL;
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent)
        .multipliedBy(7)
        .plus(LOW_ALONE)
        .multipliedBy((long) LOWS.size() * OnNvidia.repetitions(extent));
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    for (Low low : LOWS) {
      Runs runs =
          director.amongThemselves(scenes(low, length(extent)), OnNvidia.repetitions(extent));
      judge(runs, low, findings);
    }
  }

  static List<Scene> scenes(Low low, Duration length) {
    List<Scene> scenes = new ArrayList<>();
    scenes.addAll(
        new Scenes(OnNvidia.WARM_UP, LOW_ALONE)
            .add(low.aloneScene(), OnNvidia.NATIVELY, low.party)
            .list());
    Party high = OnNvidia.bert(PER_SECOND);
    scenes.addAll(
        new Scenes(OnNvidia.WARM_UP, length)
            .add(low.scene(STANDALONE), OnNvidia.NATIVELY, high)
            .add(low.scene(NATIVE), OnNvidia.NATIVELY, low.party, high)
            .add(low.scene(MPS), OnNvidia.UNDER_MPS, low.party, high)
            .add(low.scene(XSCHED), OnNvidia.HPF_AUTO, low.party, high)
            .list());
    Party punctual = OnNvidia.bertByTheClock(PER_SECOND);
    scenes.addAll(
        new Scenes(UNTIL_EXPECTED, length)
            .add(low.scene(Arrivals.CLOCK.of(STANDALONE)), OnNvidia.NATIVELY, punctual)
            .add(low.scene(Arrivals.CLOCK.of(NATIVE)), OnNvidia.NATIVELY, low.party, punctual)
            .add(low.scene(Arrivals.CLOCK.of(XSCHED)), OnNvidia.HPF_AUTO, low.party, punctual)
            .list());
    return scenes;
  }

  static void judge(Runs runs, Low low, Findings findings) {
    findings.put(
        low.result("low_throughput", STANDALONE),
        runs.mean(low.aloneScene(), o -> OnNvidia.perSecond(o, low.party.name())));
    for (Arrivals arrivals : Arrivals.values()) {
      judge(runs, low, arrivals, findings);
    }
  }

  private static void judge(Runs runs, Low low, Arrivals arrivals, Findings findings) {
    Figure figure = Figure.ofLatencies("N.1", low.title);
    String name = low.party.name();
    String standalone = low.scene(arrivals.of(STANDALONE));
    String xsched = low.scene(arrivals.of(XSCHED));
    double busy = PER_SECOND * runs.latencies(standalone, BERT).mean() / 1e3;
    findings.put(low.label + "_high_busy_share" + arrivals.key, busy);
    for (String label : List.of(STANDALONE, NATIVE, MPS, XSCHED)) {
      String scene = low.scene(arrivals.of(label));
      if (!runs.has(scene)) {
        continue;
      }
      String key = label + arrivals.key;
      findings.put(low.result("high_p50_latency", key), runs.percentile(50, scene, BERT));
      findings.put(low.result("high_p99_latency", key), runs.percentile(99, scene, BERT));
      findings.series().add(figure.cdf(arrivals.of(label), runs.latencies(scene, BERT)));
      if (!label.equals(STANDALONE)) {
        findings.put(
            low.result("low_throughput", key), runs.mean(scene, o -> OnNvidia.perSecond(o, name)));
        findings.put(low.result("low_of_left_percent", key), ofLeft(runs, low, scene, busy));
      }
    }
    Validity.competition(findings, runs, low.scene(arrivals.of(NATIVE)), xsched);
    Measure ratio = runs.percentileRatio(99, xsched, standalone, BERT);
    Measure kept = ofLeft(runs, low, xsched, busy);
    String title = arrivals.of(low.title);
    Validity.latencyAgainstStandalone(findings, title + ": the high P99", ratio);
    Validity.throughputAgainstStandalone(
        findings, title + ": the low one", kept.map(percent -> percent * (1 - busy) / 100));
    findings.put(low.result("high_p99_ratio", XSCHED + arrivals.key), ratio);
    findings.put(
        low.result("high_p99_ratio", NATIVE + arrivals.key),
        runs.percentileRatio(99, low.scene(arrivals.of(NATIVE)), standalone, BERT));
    findings.below(title + ": high P99, against standalone", ratio, 1.03, "x", null);
    findings.above(title + ": low, of what the high one leaves", kept, 97, "%", null);
  }

  /** Of its rate alone, less the part of the time in which the high one would be at work alone. */
  private static Measure ofLeft(Runs runs, Low low, String scene, double busy) {
    String name = low.party.name();
    return runs.meanRatio(
            scene,
            o -> OnNvidia.perSecond(o, name),
            low.aloneScene(),
            o -> OnNvidia.perSecond(o, name))
        .map(ratio -> 100 * ratio / (1 - busy));
  }
}
