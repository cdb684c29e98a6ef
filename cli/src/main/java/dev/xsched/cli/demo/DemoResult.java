package dev.xsched.cli.demo;

import static dev.xsched.bench.experiment.FixedPriority.BACKGROUND;
import static dev.xsched.bench.experiment.FixedPriority.FOREGROUND;

import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the demo found.
 *
 * @param device for people
 * @param recordedDevice as records name it
 * @param simulation what of it is not real, for people
 * @param rule what XSched was told
 * @param perRun how long each run was measured
 * @param runs one for each {@link Configuration}
 */
record DemoResult(
    String device,
    String recordedDevice,
    boolean simulated,
    String simulation,
    Workload workload,
    Rule rule,
    Duration perRun,
    Runs runs) {
  /** Those with a foreground. */
  static final List<Configuration> COMPARED =
      List.of(Configuration.STANDALONE, Configuration.NATIVE, Configuration.SCHEDULED);

  Outcome run(Configuration configuration) {
    return runs.of(configuration.scene()).getFirst();
  }

  Latencies latencies(Configuration configuration) {
    return runs.latencies(configuration.scene(), FOREGROUND);
  }

  /** Tasks a second of the background; 0 where it was not there. */
  double backgroundPerSecond(Configuration configuration) {
    return configuration == Configuration.STANDALONE ? 0 : run(configuration).perSecond(BACKGROUND);
  }

  /** How many times longer than alone the P99 is. */
  double p99Ratio(Configuration configuration) {
    return latencies(configuration).percentile(99)
        / latencies(Configuration.STANDALONE).percentile(99);
  }

  /** The share of its own standalone rate that the background kept. */
  double backgroundKept(Configuration configuration) {
    return backgroundPerSecond(configuration) / backgroundPerSecond(Configuration.BACKGROUND);
  }

  boolean contentionProven() {
    return Validity.competed(run(Configuration.NATIVE))
        && Validity.competed(run(Configuration.SCHEDULED));
  }

  /** What to remember of it, in a sentence. */
  String finding() {
    return "P99 of the foreground: %sx its standalone value without XSched, %sx with it; the background keeps %s of its rate."
        .formatted(
            Numbers.fixed(p99Ratio(Configuration.NATIVE), 2),
            Numbers.fixed(p99Ratio(Configuration.SCHEDULED), 2),
            Numbers.percent(backgroundKept(Configuration.SCHEDULED)));
  }

  Table table() {
    List<List<String>> rows = new ArrayList<>();
    for (Configuration configuration : COMPARED) {
      boolean alone = configuration == Configuration.STANDALONE;
      Latencies latencies = latencies(configuration);
      rows.add(
          List.of(
              configuration.label(),
              Numbers.significant(latencies.percentile(50)) + " ms",
              Numbers.significant(latencies.percentile(99)) + " ms",
              Numbers.fixed(p99Ratio(configuration), 2) + "x",
              String.valueOf(latencies.count()),
              alone ? "-" : Numbers.significant(backgroundPerSecond(configuration)) + "/s",
              alone ? "-" : Numbers.percent(backgroundKept(configuration)),
              alone ? "-" : contention(run(configuration))));
    }
    return new Table(
        List.of("run", "P50", "P99", "P99 ratio", "requests", "background", "kept", "contention"),
        rows);
  }

  private static String contention(Outcome outcome) {
    return (Validity.competed(outcome) ? "proven, " : "NOT proven, ")
        + Numbers.percent(outcome.contended());
  }
}
