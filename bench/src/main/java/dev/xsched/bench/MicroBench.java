package dev.xsched.bench;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures the speed of queues, decisions and simulator, and judges it against our goals. */
public final class MicroBench {
  private static final double SUBMITS_PER_SECOND = 2_000_000;
  private static final double EVENTS_PER_SECOND = 1_000_000;
  private static final double BYTES_PER_QUEUE = 2_048;
  private static final Map<String, Double> DECISION_MICROS = Map.of("1000", 50.0, "10000", 1_000.0);

  private final Map<String, Object> results = new TreeMap<>();
  private final List<Criterion> criteria = new ArrayList<>();

  private MicroBench() {}

  /** Runs everything, with JMH's own progress on standard output. */
  public static ResultRecord run(String version, String commit)
      throws RunnerException, InterruptedException {
    MicroBench bench = new MicroBench();
    bench.measureFootprint();
    bench.measureSubmit();
    bench.measureDecisions();
    bench.measureSimulator();
    return new ResultRecord(
        "micro",
        "Speed of queues, decisions and simulator",
        Instant.now(),
        Machine.hardware(),
        Machine.runtime(),
        version,
        commit,
        "./xsched bench micro",
        false,
        Map.of("decision_queues_ready", "all but one", "decision_devices", "4"),
        bench.results,
        bench.criteria,
        List.of("JMH, one fork; each decision includes the snapshot and the orders"));
  }

  private void measureFootprint() throws InterruptedException {
    double bytes = QueueFootprint.bytesPerIdleQueue(Policies.named("HPF"));
    results.put("bytes_per_idle_queue", bytes);
    atMost("heap per idle queue, bytes", bytes, BYTES_PER_QUEUE);
  }

  private void measureSubmit() throws RunnerException {
    for (RunResult run : jmh(SubmitBenchmark.class)) {
      String window = run.getParams().getParam("window");
      double perSecond = run.getPrimaryResult().getScore();
      results.put("submits_per_second_window_" + window, perSecond);
      atLeast("submits per second, window " + window, perSecond, SUBMITS_PER_SECOND);
    }
  }

  private void measureDecisions() throws RunnerException {
    String[] policies = Policies.available().stream().map(Policy::name).toArray(String[]::new);
    for (RunResult run : jmh(DecisionBenchmark.class, "policy", policies)) {
      String policy = run.getParams().getParam("policy");
      String queues = run.getParams().getParam("queues");
      double micros = run.getPrimaryResult().getScore();
      results.put("decision_us_%s_%s".formatted(policy, queues), micros);
      atMost(
          "%s decision over %s queues, us".formatted(policy, queues),
          micros,
          DECISION_MICROS.getOrDefault(queues, 0.0));
    }
  }

  private void measureSimulator() throws RunnerException {
    for (RunResult run : jmh(SimulatorBenchmark.class)) {
      double perSecond = run.getPrimaryResult().getScore();
      results.put("simulator_events_per_second", perSecond);
      atLeast("simulator events per second", perSecond, EVENTS_PER_SECOND);
    }
  }

  private static Collection<RunResult> jmh(Class<?> benchmark) throws RunnerException {
    return new Runner(new OptionsBuilder().include(benchmark.getName() + "\\.").build()).run();
  }

  private static Collection<RunResult> jmh(Class<?> benchmark, String param, String[] values)
      throws RunnerException {
    return new Runner(
            new OptionsBuilder().include(benchmark.getName() + "\\.").param(param, values).build())
        .run();
  }

  private void atLeast(String name, double value, double goal) {
    criteria.add(new Criterion(name, ">= %.0f".formatted(goal), value, value >= goal));
  }

  private void atMost(String name, double value, double goal) {
    criteria.add(new Criterion(name, "< %.0f".formatted(goal), value, value < goal));
  }
}
