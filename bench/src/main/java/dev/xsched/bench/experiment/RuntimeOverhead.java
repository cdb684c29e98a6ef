package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.XSCHED;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.GpuLoad;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import java.time.Duration;
import java.util.List;

/** 7.4.1, figure 12a: the same task with the scheduler and without it, nothing else running. */
final class RuntimeOverhead implements Experiment {
  private static final String PARTY = "alone";

  @Override
  public String id() {
    return "7.4.1";
  }

  @Override
  public String title() {
    return "Runtime overhead of a program alone";
  }

  @Override
  public String figure() {
    return "12a";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.peak().multipliedBy(3L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    judge(play(director), findings);
  }

  /** Also what portability and processor time are measured by. */
  static Runs play(Director director) throws StageException, InterruptedException {
    Workload task = Workload.Named.RESNET152;
    return director.byTurns(
        List.of(
            director.alone(NATIVE, new Control.Native(), task),
            director.alone(XSCHED, Control.Scheduled.by("HPF"), task)));
  }

  private static void judge(Runs runs, Findings findings) {
    findings.put("throughput_native", runs.perSecond(NATIVE, PARTY));
    findings.put("throughput_xsched", runs.perSecond(XSCHED, PARTY));
    Measure percent = judge(runs, "GV100 0.7 %, MI50 1.7 %, at most 3.4 %", findings);
    Figure figure = Figure.ofBars("12a", null, "%", "runtime overhead (percent)");
    findings
        .series()
        .add(figure.bars("measured", Figure.MEASURED, List.of(List.of(XSCHED, percent.value()))));
    findings
        .series()
        .add(
            figure.bars(
                "paper", Figure.PAPER, List.of(List.of("GV100", 0.7), List.of("MI50", 1.7))));
  }

  /** The part that portability is judged by, too. */
  static Measure judge(Runs runs, String paper, Findings findings) {
    Validity.busy(findings, runs, NATIVE);
    GpuLoad.put(findings, runs, NATIVE, XSCHED);
    Measure percent =
        Overhead.runtimePercent(findings, "the program under XSched", runs, XSCHED, NATIVE, PARTY);
    findings.put("runtime_overhead_percent", percent);
    findings.below("runtime overhead", percent, 3.4, "%", paper);
    return percent;
  }
}
