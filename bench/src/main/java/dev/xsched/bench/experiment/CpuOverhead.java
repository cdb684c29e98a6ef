package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;
import java.util.List;

/** 7.4.2, figure 12b: processor time that the scheduler adds, to the program and by the daemon. */
final class CpuOverhead implements Experiment {
  @Override
  public String id() {
    return "7.4.2";
  }

  @Override
  public String title() {
    return "Processor time that the scheduler adds";
  }

  @Override
  public String figure() {
    return "12b";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.peak().multipliedBy(3L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    judge(RuntimeOverhead.play(director), findings);
  }

  static void judge(Runs runs, Findings findings) {
    Validity.busy(findings, runs, NATIVE);
    Measure percent =
        Overhead.processorPercent(runs, XSCHED, NATIVE, "alone")
            .orElse(Measure.exactly(Double.NaN));
    findings.put("cpu_overhead_percent", percent);
    findings.put(
        "cpu_overhead_percent_daemon",
        runs.mean(XSCHED, o -> 100 * o.schedulerSeconds().orElse(Double.NaN) / o.seconds()));
    findings.below("processor time added, of one core", percent, 5, "%", "MI50 3.6 %");
    Figure figure = Figure.ofBars("12b", null, "%", "added processor time (percent of a core)");
    findings
        .series()
        .add(figure.bars("measured", Figure.MEASURED, List.of(List.of(XSCHED, percent.value()))));
    findings.series().add(figure.bars("paper", Figure.PAPER, List.of(List.of("MI50", 3.6))));
  }
}
