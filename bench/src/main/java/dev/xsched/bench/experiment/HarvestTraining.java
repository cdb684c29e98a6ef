package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Harvest.OPPORTUNISTIC;
import static dev.xsched.bench.experiment.Harvest.OPPORTUNISTIC_ALONE;
import static dev.xsched.bench.experiment.Harvest.PRODUCTION;
import static dev.xsched.bench.experiment.Harvest.PRODUCTION_ALONE;
import static dev.xsched.bench.experiment.Harvest.RATE_CONTROL;
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
import dev.xsched.sim.experiment.Csv;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * 8.1.1, figure 13 left: production training keeps its speed, and opportunistic training gets what
 * it leaves.
 */
final class HarvestTraining implements Experiment {
  private static final Workload TASK = Workload.Named.RESNET50_TRAINING;
  private static final String FILE = "harvest.csv";

  /** What counts as no difference between two systems. */
  private static final double MARGIN = 0.01;

  @Override
  public String id() {
    return "8.1.1";
  }

  @Override
  public String title() {
    return "Harvesting: opportunistic beside production training";
  }

  @Override
  public String figure() {
    return "13 left";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.peak().multipliedBy(3L * 7 * extent.repetitions() / 2);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    Party production = Party.of(PRODUCTION, TASK, new Pattern.Continuous()).with(Hint.PRIORITY, 10);
    Party opportunistic = Party.of(OPPORTUNISTIC, TASK, new Pattern.Continuous());
    Scenes scenes = new Scenes(extent.peak().dividedBy(2), extent.peak());
    judge(
        director.byTurns(Harvest.scenes(scenes, production, opportunistic).list()),
        Paper.of(director.stage().device()),
        findings);
  }

  static void judge(Runs runs, Paper paper, Findings findings) {
    Figure figure = Figure.ofBars("13-left", null, "x", "speed against standalone");
    for (String label : Harvest.SHARED) {
      if (!runs.has(label)) {
        continue;
      }
      Measure production = production(runs, label);
      Measure opportunistic = opportunistic(runs, label);
      findings.put("production_speed_" + Harvest.suffix(label), production);
      findings.put("opportunistic_speed_" + Harvest.suffix(label), opportunistic);
      findings
          .series()
          .add(
              figure.bars(label, Figure.MEASURED, bars(production.value(), opportunistic.value())));
    }
    addPaper(paper, figure, findings);
    Validity.competition(findings, runs, NATIVE, XSCHED);
    Validity.throughputAgainstStandalone(
        findings, "production under XSched", production(runs, XSCHED));
    Validity.throughputAgainstStandalone(
        findings, "opportunistic under XSched", opportunistic(runs, XSCHED));
    findings.above("production, against standalone", production(runs, XSCHED), 0.95, "x", "0.99x");
    findings.above(
        "opportunistic, against standalone", opportunistic(runs, XSCHED), 0.10, "x", "0.20x");
    if (runs.has(RATE_CONTROL)) {
      double more = production(runs, XSCHED).value() - production(runs, RATE_CONTROL).value();
      double harvested =
          opportunistic(runs, XSCHED).value() - opportunistic(runs, RATE_CONTROL).value();
      findings.holds(
          "no worse than rate control for either, better for one (sum of both gains)",
          "> 0",
          Measure.exactly(more + harvested),
          Math.min(more, harvested) > -MARGIN && Math.max(more, harvested) > MARGIN,
          "rate control 0.93x and 0.07x");
    }
  }

  private static Measure production(Runs runs, String label) {
    return runs.meanRatio(
        label, o -> o.perSecond(PRODUCTION), PRODUCTION_ALONE, o -> o.perSecond(PRODUCTION));
  }

  private static Measure opportunistic(Runs runs, String label) {
    return runs.meanRatio(
        label,
        o -> o.perSecond(OPPORTUNISTIC),
        OPPORTUNISTIC_ALONE,
        o -> o.perSecond(OPPORTUNISTIC));
  }

  private static List<List<Object>> bars(double production, double opportunistic) {
    return List.of(List.of(PRODUCTION, production), List.of(OPPORTUNISTIC, opportunistic));
  }

  /** The data has median times of an iteration; a speed is the inverse of that. */
  private static void addPaper(Paper paper, Figure figure, Findings findings) {
    String shown = paper.shown(FILE, "device");
    double alone =
        Paper.rows(FILE, "case", "cotrain", "device", shown, "system", "standalone")
            .getFirst()
            .number("median_ms");
    for (String label : Harvest.SHARED) {
      List<Csv.Row> rows =
          Paper.rows(FILE, "case", "cotrain", "device", shown, "system", Harvest.inPaper(label));
      List<List<Object>> points = new ArrayList<>();
      for (Csv.Row row : rows) {
        points.add(
            List.of(
                row.text("role").equals("pjob") ? PRODUCTION : OPPORTUNISTIC,
                alone / row.number("median_ms")));
      }
      if (!points.isEmpty()) {
        findings
            .series()
            .add(
                figure.bars(
                    "%s, paper %s".formatted(Harvest.inPaper(label), shown), Figure.PAPER, points));
      }
    }
  }
}
