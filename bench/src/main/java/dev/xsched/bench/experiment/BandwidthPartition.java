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
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.List;

/**
 * 7.2.2, figure 9 bottom: two programs with the same task, both without a pause; the foreground is
 * to have three quarters of the device.
 */
final class BandwidthPartition implements Experiment {
  private static final Workload TASK = Workload.Named.RESNET152;
  private static final int FOREGROUND_PERCENT = 75;
  private static final String FILE = "partition.csv";
  private static final String FOREGROUND = "foreground";
  private static final String BACKGROUND = "background";

  @Override
  public String id() {
    return "7.2.2";
  }

  @Override
  public String title() {
    return "A device in shares of 75 and 25 percent";
  }

  @Override
  public String figure() {
    return "9 bottom";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.peak().multipliedBy(5L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    Party foreground =
        Party.of(FOREGROUND, TASK, new Pattern.Continuous())
            .with(Hint.UTILIZATION, FOREGROUND_PERCENT);
    Party background =
        Party.of(BACKGROUND, TASK, new Pattern.Continuous())
            .with(Hint.UTILIZATION, 100 - FOREGROUND_PERCENT);
    // Level 1 as in the paper: turns end by themselves, so nobody gains from a faster stop.
    // Twice as long as a single program: a share shows only over many turns.
    Scenes scenes =
        new Scenes(extent.peak().dividedBy(4), extent.peak().multipliedBy(2))
            .add(STANDALONE, new Control.Native(), foreground)
            .add(NATIVE, new Control.Native(), background, foreground)
            .add(MPS, new Control.Mps(), background, foreground)
            .add(XSCHED, Control.Scheduled.by("PUP").at(Level.BLOCK), background, foreground);
    judge(director.byTurns(scenes.list()), Paper.of(director.stage().device()), findings);
  }

  static void judge(Runs runs, Paper paper, Findings findings) {
    findings.put("foreground_throughput_standalone", runs.perSecond(STANDALONE, FOREGROUND));
    for (String label : List.of(NATIVE, MPS, XSCHED)) {
      if (runs.has(label)) {
        findings.put("foreground_throughput_" + label, runs.perSecond(label, FOREGROUND));
        findings.put("background_throughput_" + label, runs.perSecond(label, BACKGROUND));
        addBars(findings, runs, label);
      }
    }
    addPaper(paper, findings);
    Validity.competition(findings, runs, NATIVE, XSCHED);
    Measure share = runs.mean(XSCHED, o -> 100 * o.perSecond(FOREGROUND) / total(o));
    Measure overhead =
        runs.meanRatio(NATIVE, BandwidthPartition::total, XSCHED, BandwidthPartition::total)
            .map(ratio -> 100 * (ratio - 1));
    Measure total =
        runs.meanRatio(XSCHED, BandwidthPartition::total, STANDALONE, o -> o.perSecond(FOREGROUND));
    // Of one program: both together may well do more than one alone, which leaves gaps.
    Validity.throughputAgainstStandalone(
        findings, "the foreground under XSched", against(runs, XSCHED, FOREGROUND));
    findings.put("foreground_share_percent_xsched", share);
    findings.put("total_overhead_percent", overhead);
    findings.put("total_vs_standalone_xsched", total);
    String own =
        paper
            .own(FILE, "xpu", "fg", "config", XSCHED)
            .flatMap(
                fg ->
                    paper
                        .own(FILE, "xpu", "bg", "config", XSCHED)
                        .map(bg -> "%.1f".formatted(100 * fg / (fg + bg))))
            .orElse("75");
    findings.within("foreground's share of what both get", share, 70, 80, "%", own);
    findings.below("total lost against native", overhead, 1.5, "%", "1.5 % on average");
    findings.above("total, against standalone", total, 0.9, "x", null);
  }

  private static double total(Outcome outcome) {
    return outcome.perSecond(FOREGROUND) + outcome.perSecond(BACKGROUND);
  }

  private static Figure figureOfShares() {
    return Figure.ofBars("9-bottom", null, "x", "throughput against standalone");
  }

  private static void addBars(Findings findings, Runs runs, String label) {
    findings
        .series()
        .add(
            figureOfShares()
                .bars(
                    label,
                    Figure.MEASURED,
                    List.of(
                        List.of(FOREGROUND, against(runs, label, FOREGROUND).value()),
                        List.of(BACKGROUND, against(runs, label, BACKGROUND).value()))));
  }

  private static Measure against(Runs runs, String label, String party) {
    return runs.meanRatio(label, o -> o.perSecond(party), STANDALONE, o -> o.perSecond(FOREGROUND));
  }

  private static void addPaper(Paper paper, Findings findings) {
    String shown = paper.shown(FILE, "xpu");
    for (var row : Paper.rows(FILE, "xpu", shown)) {
      if (!row.text("config").equals(STANDALONE)) {
        findings
            .series()
            .add(
                figureOfShares()
                    .bars(
                        "%s, paper %s".formatted(row.text("config"), shown),
                        Figure.PAPER,
                        List.of(
                            List.of(FOREGROUND, row.number("fg_norm")),
                            List.of(BACKGROUND, row.number("bg_norm")))));
      }
    }
  }
}
