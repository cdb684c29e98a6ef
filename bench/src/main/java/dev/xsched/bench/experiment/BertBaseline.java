package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * F.1: Bert-base as one finds it, without any scheduler: one thread alone, three threads of one
 * program at 20 ms each, and two one after the other. What the others are compared with.
 */
final class BertBaseline implements Experiment {
  private static final Workload MODEL = Workload.Named.BERT_BASE;
  private static final Duration PERIOD = Duration.ofMillis(20);
  private static final String PROGRAM = "program";
  private static final String ONE = "one thread";
  private static final String THREE = "three threads";
  private static final String AGAIN = "sequential";
  private static final int LEAST_SAMPLES = 100;

  @Override
  public String id() {
    return "F.1";
  }

  @Override
  public String title() {
    return "Bert-base without a scheduler";
  }

  @Override
  public String figure() {
    return "F.1";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.measured(PERIOD).multipliedBy(3L * extent.repetitions());
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    List<Party> three = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      three.add(
          Party.of("thread " + i, MODEL, Pattern.Paced.queued(PERIOD, new Pattern.Spacing.Even()))
              .in(PROGRAM));
    }
    Party one = Party.of("thread 0", MODEL, new Pattern.Continuous()).in(PROGRAM);
    Scenes scenes =
        Scenes.paced(director.extent(), PERIOD)
            .add(ONE, new Control.Native(), one)
            .add(THREE, new Control.Native(), three)
            .add(AGAIN, new Control.Native(), one);
    findings.note("sequential: the same thread again, after the others have ended");
    judge(director.byTurns(scenes.list()), findings);
  }

  static void judge(Runs runs, Findings findings) {
    Figure figure = Figure.ofLatencies("F.1", null);
    int least = Integer.MAX_VALUE;
    for (String label : List.of(ONE, THREE, AGAIN)) {
      String[] threads =
          runs.of(label).getFirst().parties().stream().map(p -> p.name()).toArray(String[]::new);
      Latencies all = runs.latencies(label, threads);
      String suffix = label.replace(' ', '_');
      findings.put("mean_latency_" + suffix, all.mean());
      findings.put("median_latency_" + suffix, all.percentile(50));
      findings.put("p95_latency_" + suffix, runs.percentile(95, label, threads));
      findings.put("p99_latency_" + suffix, runs.percentile(99, label, threads));
      findings.put("min_latency_" + suffix, all.min());
      findings.put("max_latency_" + suffix, all.max());
      findings.put("std_latency_" + suffix, all.deviation());
      findings.put(
          "throughput_" + suffix,
          runs.mean(
              label, o -> o.parties().stream().mapToDouble(p -> o.perSecond(p.name())).sum()));
      findings.series().add(figure.cdf(label, all));
      least = Math.min(least, all.count());
    }
    Validity.contention(findings, runs, THREE);
    Measure slowdown =
        Measure.exactly(
            runs.latencies(THREE, "thread 0", "thread 1", "thread 2").percentile(99)
                / runs.latencies(ONE, "thread 0").percentile(99));
    findings.put("p99_ratio_three_threads", slowdown);
    findings.holds(
        "samples behind each percentile, at least",
        ">= " + LEAST_SAMPLES,
        Measure.exactly(least),
        least >= LEAST_SAMPLES,
        null);
    findings.holds(
        "three threads are slower than one, P99",
        "> 1x",
        slowdown,
        slowdown.value() > 1,
        "MI308X, field: 2.9x");
    findings.within(
        "one thread again, mean against the first time",
        Measure.exactly(
            runs.latencies(AGAIN, "thread 0").mean() / runs.latencies(ONE, "thread 0").mean()),
        0.95,
        1.05,
        "x",
        "MI308X, field: 6.40 against 6.37 ms");
  }
}
