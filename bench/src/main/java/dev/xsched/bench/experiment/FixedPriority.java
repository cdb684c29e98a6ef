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
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * 7.2.1, figure 9 top: two programs with the same inference task. The foreground comes at a fifth
 * of its peak rate and has a high priority, the background is continuous and has a low one.
 */
public final class FixedPriority implements Experiment {
  private static final Workload TASK = Workload.Named.RESNET152;
  private static final double LOAD = 0.2;
  private static final long PRIORITY = 10;
  private static final String FILE = "fixed_priority.csv";

  /** The paper's clients sleep for the mean interval plus or minus a half. */
  private static final Pattern.Spacing SPACING = new Pattern.Spacing.Around(0.5);

  public static final String FOREGROUND = "foreground";
  public static final String BACKGROUND = "background";
  public static final String BACKGROUND_ALONE = "background standalone";
  static final String BACKGROUND_XSCHED = "background alone under xsched";

  @Override
  public String id() {
    return "7.2.1";
  }

  @Override
  public String title() {
    return "Fixed priority between two programs";
  }

  @Override
  public String figure() {
    return "9 top";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(Duration.ofMillis(50)).multipliedBy(5L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    double peak = director.peak(TASK);
    findings.configure("foreground_load", "%.0f %% of its peak rate".formatted(100 * LOAD));
    findings.put("foreground_peak_per_second", peak);
    Duration period = period(peak);
    Extent extent = director.extent();
    List<Scene> scenes =
        scenes(
            period,
            extent.warmUp(period),
            extent.measured(period),
            Control.Scheduled.by("HPF"),
            PRIORITY);
    judge(director.byTurns(scenes), director.stage().device(), findings);
  }

  /** The mean time between two requests of a foreground that could have so many a second. */
  public static Duration period(double peak) {
    return Duration.ofNanos(Math.round(1e9 / peak / LOAD));
  }

  /** What is played; the demo plays the same with what its user chose. */
  public static List<Scene> scenes(
      Duration period,
      Duration warmUp,
      Duration measured,
      Control.Scheduled xsched,
      long priority) {
    Party foreground =
        Party.of(FOREGROUND, TASK, Pattern.Paced.queued(period, SPACING))
            .with(Hint.PRIORITY, priority);
    Party background = Party.of(BACKGROUND, TASK, new Pattern.Continuous());
    return new Scenes(warmUp, measured)
        .add(STANDALONE, new Control.Native(), foreground)
        .add(BACKGROUND_ALONE, new Control.Native(), background)
        .add(NATIVE, new Control.Native(), background, foreground)
        .add(MPS, new Control.Mps(), background, foreground)
        .add(XSCHED, xsched, background, foreground)
        .add(BACKGROUND_XSCHED, xsched, background)
        .list();
  }

  /** Judges what was played; that of the background alone under XSched may be missing. */
  public static void judge(Runs runs, String device, Findings findings) {
    Paper paper = Paper.of(device);
    Figure figure = Figure.ofLatencies("9-top", null);
    for (String label : List.of(STANDALONE, NATIVE, MPS, XSCHED)) {
      if (runs.has(label)) {
        findings.put("foreground_p50_latency_" + label, runs.percentile(50, label, FOREGROUND));
        findings.put("foreground_p99_latency_" + label, runs.percentile(99, label, FOREGROUND));
        findings.series().add(figure.cdf(label, runs.latencies(label, FOREGROUND)));
      }
    }
    findings.put("background_throughput_standalone", runs.perSecond(BACKGROUND_ALONE, BACKGROUND));
    for (String label : List.of(NATIVE, MPS, XSCHED)) {
      if (runs.has(label)) {
        findings.put("background_throughput_" + label, runs.perSecond(label, BACKGROUND));
      }
    }
    if (runs.has(BACKGROUND_XSCHED)) {
      Overhead.put(findings, runs, BACKGROUND_XSCHED, BACKGROUND_ALONE, BACKGROUND);
    }
    Validity.competition(findings, runs, NATIVE, XSCHED);
    Measure ratio = runs.percentileRatio(99, XSCHED, STANDALONE, FOREGROUND);
    Measure nativeRatio = runs.percentileRatio(99, NATIVE, STANDALONE, FOREGROUND);
    Measure kept =
        runs.meanRatio(
            XSCHED, o -> o.perSecond(BACKGROUND), BACKGROUND_ALONE, o -> o.perSecond(BACKGROUND));
    Validity.latencyAgainstStandalone(findings, "the foreground's P99 under XSched", ratio);
    Validity.throughputAgainstStandalone(findings, "the background under XSched", kept);
    findings.put("foreground_p99_ratio_xsched", ratio);
    findings.put("foreground_p99_ratio_native", nativeRatio);
    findings.put("background_kept_xsched", kept);
    findings
        .series()
        .add(
            Figure.ofBars("9-top", "P99", "x", "P99 against standalone")
                .bars(
                    "measured",
                    Figure.MEASURED,
                    List.of(
                        List.of(STANDALONE, 1.0),
                        List.of(NATIVE, nativeRatio.value()),
                        List.of(XSCHED, ratio.value()))));
    findings.below(
        "foreground P99, against standalone",
        ratio,
        1.30,
        "x",
        ratio(paper, XSCHED).orElse("1.02x to 1.30x"));
    findings.holds(
        "foreground P99 below that of native",
        "< native",
        runs.percentileRatio(99, XSCHED, NATIVE, FOREGROUND),
        ratio.value() < nativeRatio.value(),
        ratio(paper, NATIVE).map(r -> "native " + r).orElse("native 1.60x to 2.19x"));
    findings.above("background advances, of its rate alone", kept.map(x -> 100 * x), 20, "%", null);
    addPaper(paper, findings);
  }

  private static Optional<String> ratio(Paper paper, String config) {
    return paper.own(FILE, "xpu", "p99_vs_standalone", "config", config).map(Paper::times);
  }

  /** The paper has no single requests, so bars stand beside our distributions. */
  private static void addPaper(Paper paper, Findings findings) {
    String shown = paper.shown(FILE, "xpu");
    Figure bars = Figure.ofBars("9-top", "P99", "x", "P99 against standalone");
    findings.series().add(bars.bars("paper " + shown, Figure.PAPER, points(shown)));
  }

  private static List<List<Object>> points(String xpu) {
    return Paper.rows(FILE, "xpu", xpu).stream()
        .map(row -> List.<Object>of(row.text("config"), row.number("p99_vs_standalone")))
        .toList();
  }
}
