package dev.xsched.bench.experiment;

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
import java.util.stream.Stream;

/**
 * 8.3.1, figure 15a: two models behind one inference server. One client sends 10 requests a second
 * and matters, the other sends without a pause and does not.
 */
final class ModelServing implements Experiment {
  private static final Workload MODEL = Workload.Named.BERT_LARGE;
  private static final Duration PERIOD = Duration.ofMillis(100);
  private static final String SERVER = "server";
  private static final String PRIORITY = "server priority";
  private static final String HIGH = "high";
  private static final String LOW = "low";

  @Override
  public String id() {
    return "8.3.1";
  }

  @Override
  public String title() {
    return "Two models behind one inference server";
  }

  @Override
  public String figure() {
    return "15a";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(PERIOD).multipliedBy(4L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Party high =
        Party.of(HIGH, MODEL, Pattern.Paced.queued(PERIOD, new Pattern.Spacing.Around(0.5)))
            .with(Hint.PRIORITY, 10)
            .in(SERVER);
    Party low = Party.of(LOW, MODEL, new Pattern.Continuous()).in(SERVER);
    Scenes scenes =
        Scenes.paced(director.extent(), PERIOD)
            .add(STANDALONE, new Control.Native(), high)
            .add(SERVER, new Control.Native(), low, high)
            .add(PRIORITY, new Control.RequestPriority(), low, high)
            .add(XSCHED, Control.Scheduled.by("HPF"), low, high);
    if (director.stage().simulated()) {
      findings.note("the server is simulated: one program with a queue for each model");
    }
    judge(director.byTurns(scenes.list()), findings);
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = Figure.ofLatencies("15a", null);
    for (String label : List.of(STANDALONE, SERVER, PRIORITY, XSCHED)) {
      if (runs.has(label)) {
        String suffix = label.replace(' ', '_');
        findings.put("high_p50_latency_" + suffix, runs.percentile(50, label, HIGH));
        findings.put("high_p99_latency_" + suffix, runs.percentile(99, label, HIGH));
        findings.series().add(figure.cdf(label, runs.latencies(label, HIGH)));
        if (!label.equals(STANDALONE)) {
          findings.put("low_throughput_" + suffix, runs.perSecond(label, LOW));
          findings.put(
              "high_p99_ratio_" + suffix, runs.percentileRatio(99, label, STANDALONE, HIGH));
        }
      }
    }
    addBars(runs, findings);
    Validity.competition(findings, runs, SERVER, XSCHED);
    Measure ratio = runs.percentileRatio(99, XSCHED, STANDALONE, HIGH);
    Validity.latencyAgainstStandalone(findings, "high's P99 under XSched", ratio);
    findings.below(
        "high P99, against standalone",
        ratio,
        1.10,
        "x",
        "1.07x, in the data 0.94x; Triton 1.53x, with its priority 1.51x");
    findings.holds(
        "high P99 below that of the server alone",
        "< server",
        runs.percentileRatio(99, XSCHED, SERVER, HIGH),
        runs.percentile(99, XSCHED, HIGH).value() < runs.percentile(99, SERVER, HIGH).value(),
        null);
  }

  /** The paper's server is Triton; its bars stand beside those of ours. */
  private static void addBars(Runs runs, Findings findings) {
    Figure bars = Figure.ofBars("15a", "P99", "x", "P99 against standalone");
    List<List<Object>> own =
        Stream.of(STANDALONE, SERVER, PRIORITY, XSCHED)
            .filter(runs::has)
            .map(l -> List.<Object>of(l, runs.percentileRatio(99, l, STANDALONE, HIGH).value()))
            .toList();
    List<List<Object>> paper =
        Paper.rows("serving_triton.csv").stream()
            .map(r -> List.<Object>of(ofPaper(r.text("config")), r.number("p99_vs_standalone")))
            .toList();
    findings.series().add(bars.bars("measured", Figure.MEASURED, own));
    findings.series().add(bars.bars("paper gv100", Figure.PAPER, paper));
  }

  private static String ofPaper(String config) {
    return switch (config) {
      case "triton" -> SERVER;
      case "triton+priority" -> PRIORITY;
      case "triton+xsched" -> XSCHED;
      default -> config;
    };
  }
}
