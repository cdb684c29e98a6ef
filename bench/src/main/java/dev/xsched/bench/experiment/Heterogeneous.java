package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.NATIVE;
import static dev.xsched.bench.experiment.Scenes.STANDALONE;

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

/**
 * 7.2.3, figure 10: the foreground on one device, and on another one that shares its memory a
 * background that eats the bandwidth. A priority for each device (HPF) does not help; one over all
 * devices (HHPF) does.
 */
final class Heterogeneous implements Experiment {
  private static final Workload TASK = Workload.Named.RESNET152;
  private static final double LOAD = 0.2;
  private static final String FOREGROUND = "foreground";
  private static final String BACKGROUND = "background";
  private static final String HPF = "hpf";
  private static final String HHPF = "hhpf";

  @Override
  public String id() {
    return "7.2.3";
  }

  @Override
  public String title() {
    return "Priority over two devices that share their memory";
  }

  @Override
  public String figure() {
    return "10";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(Duration.ofMillis(50)).multipliedBy(4L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Duration period = Duration.ofNanos(Math.round(1e9 / director.peak(TASK) / LOAD));
    Party foreground =
        Party.of(FOREGROUND, TASK, Pattern.Paced.queued(period, new Pattern.Spacing.Around(0.5)))
            .with(Hint.PRIORITY, 10);
    Party background =
        Party.of(BACKGROUND, Workload.Named.MEMORY_HUNGRY, new Pattern.Continuous()).onNeighbour();
    Scenes scenes =
        Scenes.paced(director.extent(), period)
            .add(STANDALONE, new Control.Native(), foreground)
            .add(NATIVE, new Control.Native(), background, foreground)
            .add(HPF, Control.Scheduled.by("HPF"), background, foreground)
            .add(HHPF, Control.Scheduled.by("HHPF"), background, foreground);
    judge(director.byTurns(scenes.list()), findings);
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = Figure.ofLatencies("10", null);
    for (String label : List.of(STANDALONE, NATIVE, HPF, HHPF)) {
      findings.put("foreground_p99_latency_" + label, runs.percentile(99, label, FOREGROUND));
      findings.series().add(figure.cdf(label, runs.latencies(label, FOREGROUND)));
    }
    Validity.contention(findings, runs, NATIVE, HPF, HHPF);
    Measure across = runs.percentileRatio(99, HHPF, STANDALONE, FOREGROUND);
    Measure each = runs.percentileRatio(99, HPF, STANDALONE, FOREGROUND);
    Validity.latencyAgainstStandalone(findings, "the foreground's P99 with HHPF", across);
    findings.put("foreground_p99_ratio_hhpf", across);
    findings.put("foreground_p99_ratio_hpf", each);
    findings.put("background_throughput_hhpf", runs.perSecond(HHPF, BACKGROUND));
    findings.put("background_throughput_native", runs.perSecond(NATIVE, BACKGROUND));
    findings.below(
        "foreground P99 with HHPF, against standalone", across, 1.25, "x", "1.09x to 1.18x");
    findings.holds(
        "foreground P99 with HHPF below that with HPF",
        "< HPF",
        runs.percentileRatio(99, HHPF, HPF, FOREGROUND),
        across.value() < each.value(),
        "HPF 1.55x to 1.67x");
    Figure bars = Figure.ofBars("10", "P99", "x", "P99 against standalone");
    findings
        .series()
        .add(
            bars.bars(
                "measured",
                Figure.MEASURED,
                List.of(List.of("HPF", each.value()), List.of("HHPF", across.value()))));
    findings
        .series()
        .add(
            bars.bars(
                "paper, at most",
                Figure.PAPER,
                List.of(List.of("HPF", 1.67), List.of("HHPF", 1.18))));
  }
}
