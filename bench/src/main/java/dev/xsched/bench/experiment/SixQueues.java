package dev.xsched.bench.experiment;

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
import java.util.ArrayList;
import java.util.List;

/**
 * F.2: one program with six queues of priority 3, 3, 2, 2, 1, 1. A request comes to all of them at
 * the same time; together they need nearly all of the device.
 */
final class SixQueues implements Experiment {
  /**
   * In a batch, because one request alone does not fill a large device, and then several overlap.
   */
  private static final Workload MODEL = Workload.Named.BERT_BASE_B8;

  private static final int[] PRIORITIES = {3, 3, 2, 2, 1, 1};
  private static final double LOAD = 0.92;
  private static final String FLAT = "flat";

  @Override
  public String id() {
    return "F.2";
  }

  @Override
  public String title() {
    return "Six queues in one program, three priorities";
  }

  @Override
  public String figure() {
    return "F.2";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(Duration.ofMillis(60)).multipliedBy(2L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    Duration period =
        Duration.ofNanos(Math.round(1e9 * PRIORITIES.length / director.peak(MODEL) / LOAD));
    findings.configure("load", "%.0f %% of the device".formatted(100 * LOAD));
    List<Party> parties = new ArrayList<>();
    for (int i = 0; i < PRIORITIES.length; i++) {
      parties.add(
          Party.of(name(i), MODEL, Pattern.Paced.queued(period, new Pattern.Spacing.Even()))
              .in("program")
              .with(Hint.PRIORITY, PRIORITIES[i]));
    }
    Scenes scenes =
        new Scenes(extent.warmUp(period), extent.measured(period))
            .add(FLAT, new Control.Native(), parties)
            .add(XSCHED, Control.Scheduled.by("HPF"), parties);
    judge(director.byTurns(scenes.list()), findings);
  }

  private static String name(int queue) {
    return "queue " + queue;
  }

  private static String[] ofPriority(int priority) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < PRIORITIES.length; i++) {
      if (priority == 0 || PRIORITIES[i] == priority) {
        names.add(name(i));
      }
    }
    return names.toArray(String[]::new);
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = Figure.ofLatencies("F.2", null);
    Measure flat = runs.percentile(99, FLAT, ofPriority(0));
    findings.put("p99_latency_flat", flat);
    findings.series().add(figure.cdf("without priorities", runs.latencies(FLAT, ofPriority(0))));
    double[] p99 = new double[4];
    for (int priority = 3; priority >= 1; priority--) {
      Measure measure = runs.percentile(99, XSCHED, ofPriority(priority));
      p99[priority] = measure.value();
      findings.put("p99_latency_priority_" + priority, measure);
      findings.put(
          "p50_latency_priority_" + priority, runs.percentile(50, XSCHED, ofPriority(priority)));
      findings
          .series()
          .add(figure.cdf("priority " + priority, runs.latencies(XSCHED, ofPriority(priority))));
    }
    Validity.competition(findings, runs, FLAT, XSCHED);
    Measure high = runs.percentile(99, XSCHED, ofPriority(3));
    findings.holds(
        "P99 strictly ordered by priority, highest in ms",
        "3 < 2 < 1",
        high,
        p99[3] < p99[2] && p99[2] < p99[1],
        "MI308X goal: 25, 40, 60 ms");
    findings.above(
        "priority 3, P99 better than flat",
        flatGain(high, flat),
        40,
        "%",
        "MI308X goal: 25 against 45 ms");
  }

  private static Measure flatGain(Measure high, Measure flat) {
    return new Measure(
        100 * (1 - high.value() / flat.value()),
        Double.NaN,
        Double.NaN,
        Math.min(high.samples(), flat.samples()),
        java.util.stream.Stream.concat(high.flaws().stream(), flat.flaws().stream()).toList());
  }
}
