package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Harvest.OPPORTUNISTIC;
import static dev.xsched.bench.experiment.Harvest.OPPORTUNISTIC_ALONE;
import static dev.xsched.bench.experiment.Harvest.PRODUCTION;
import static dev.xsched.bench.experiment.Harvest.PRODUCTION_ALONE;
import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * 8.1.2, figure 13 right: requests for option prices as production, a flow solver as opportunistic.
 */
final class HarvestMixed implements Experiment {
  /** In harvest.csv 583 requests of 76 ms come in the time of 353 iterations of 328 ms. */
  private static final double LOAD = 0.38;

  private static final String FILE = "harvest.csv";

  @Override
  public String id() {
    return "8.1.2";
  }

  @Override
  public String title() {
    return "Harvesting: a flow solver beside requests for option prices";
  }

  @Override
  public String figure() {
    return "13 right";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(Duration.ofMillis(200)).multipliedBy(7L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    Workload pricing = Workload.Named.BLACK_SCHOLES;
    Duration period = Duration.ofNanos(Math.round(1e9 / director.peak(pricing) / LOAD));
    findings.configure("production_load", "%.0f %% of its peak rate".formatted(100 * LOAD));
    Party production =
        Party.of(PRODUCTION, pricing, Pattern.Paced.queued(period, new Pattern.Spacing.Around(0.5)))
            .with(Hint.PRIORITY, 10);
    Party opportunistic = Party.of(OPPORTUNISTIC, Workload.Named.CFD, new Pattern.Continuous());
    Scenes scenes = new Scenes(extent.warmUp(period).dividedBy(2), extent.measured(period));
    judge(
        director.byTurns(Harvest.scenes(scenes, production, opportunistic).list()),
        Paper.of(director.stage().device()),
        findings);
  }

  static void judge(Runs runs, Paper paper, Findings findings) {
    Figure figure = Figure.ofBars("13-right", null, "x", "median latency against standalone");
    List<List<Object>> bars = new ArrayList<>();
    findings.put("production_p50_latency_standalone", p50(runs, PRODUCTION_ALONE));
    for (String label : Harvest.SHARED) {
      if (runs.has(label)) {
        Measure ratio = ratio(runs, label);
        findings.put("production_p50_latency_" + Harvest.suffix(label), p50(runs, label));
        findings.put("production_p50_ratio_" + Harvest.suffix(label), ratio);
        findings.put(
            "production_p99_latency_" + Harvest.suffix(label),
            runs.percentile(99, label, PRODUCTION));
        findings.put("opportunistic_speed_" + Harvest.suffix(label), speed(runs, label));
        bars.add(List.of(label, ratio.value()));
      }
    }
    findings.series().add(figure.bars("measured", Figure.MEASURED, bars));
    addPaper(paper, figure, findings);
    Validity.competition(findings, runs, NATIVE, XSCHED);
    Validity.latencyAgainstStandalone(
        findings, "production's median latency under XSched", ratio(runs, XSCHED));
    Validity.throughputAgainstStandalone(
        findings, "opportunistic under XSched", speed(runs, XSCHED));
    findings.below(
        "production's median latency, against standalone",
        ratio(runs, XSCHED),
        1.05,
        "x",
        "1.01x; vCUDA 1.80x, TGS 1.70x");
    findings.above(
        "opportunistic advances, of its speed alone",
        speed(runs, XSCHED).map(x -> 100 * x),
        20,
        "%",
        null);
  }

  private static Measure p50(Runs runs, String label) {
    return runs.percentile(50, label, PRODUCTION);
  }

  private static Measure ratio(Runs runs, String label) {
    return runs.percentileRatio(50, label, PRODUCTION_ALONE, PRODUCTION);
  }

  private static Measure speed(Runs runs, String label) {
    return runs.meanRatio(
        label,
        o -> o.perSecond(OPPORTUNISTIC),
        OPPORTUNISTIC_ALONE,
        o -> o.perSecond(OPPORTUNISTIC));
  }

  private static void addPaper(Paper paper, Figure figure, Findings findings) {
    String shown = paper.shown(FILE, "device");
    double alone = median(shown, "standalone").getFirst();
    List<List<Object>> bars = new ArrayList<>();
    for (String label : Harvest.SHARED) {
      median(shown, Harvest.inPaper(label)).forEach(ms -> bars.add(List.of(label, ms / alone)));
    }
    findings.series().add(figure.bars("paper " + shown, Figure.PAPER, bars));
  }

  private static List<Double> median(String device, String system) {
    return Paper.rows(FILE, "case", "scifin", "device", device, "system", system, "role", "pjob")
        .stream()
        .map(row -> row.number("median_ms"))
        .toList();
  }
}
