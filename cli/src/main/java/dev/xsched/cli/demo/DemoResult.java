package dev.xsched.cli.demo;

import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the demo found.
 *
 * @param simulation what of it is not real, for people
 * @param rule what XSched was told
 * @param perRun how long each run was measured
 * @param backgroundAlone tasks a second that the background completes when it is alone
 * @param runs one for each {@link Configuration}, in their order
 */
record DemoResult(
    String device,
    boolean simulated,
    String simulation,
    Workload workload,
    Rule rule,
    Duration perRun,
    double backgroundAlone,
    List<Measurement> runs) {

  DemoResult {
    runs = List.copyOf(runs);
  }

  Measurement run(Configuration configuration) {
    return runs.get(configuration.ordinal());
  }

  /** How many times longer than alone the P99 is. */
  double p99Ratio(Configuration configuration) {
    return run(configuration).p99() / run(Configuration.STANDALONE).p99();
  }

  /** The share of its own standalone rate that the background kept. */
  double backgroundKept(Configuration configuration) {
    return run(configuration).backgroundPerSecond() / backgroundAlone;
  }

  boolean contentionProven() {
    return run(Configuration.NATIVE).contentionProven()
        && run(Configuration.SCHEDULED).contentionProven();
  }

  /**
   * What the host itself adds to a latency, in a sentence: nothing that is measured in real time
   * can be better than the machine that measures it. Empty on virtual time.
   */
  Optional<String> hostNote() {
    return run(Configuration.STANDALONE)
        .hostDelay()
        .filter(delay -> delay.size() > 0)
        .map(
            delay ->
                "The host woke a sleeping thread %s ms late at P50 and %s ms at P99."
                    .formatted(
                        Numbers.significant(delay.percentile(50)),
                        Numbers.significant(delay.percentile(99))));
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
    for (Measurement run : runs) {
      boolean alone = run.configuration() == Configuration.STANDALONE;
      rows.add(
          List.of(
              run.configuration().label(),
              Numbers.significant(run.p50()) + " ms",
              Numbers.significant(run.p99()) + " ms",
              Numbers.fixed(p99Ratio(run.configuration()), 2) + "x",
              String.valueOf(run.latencies().size()),
              alone ? "-" : Numbers.significant(run.backgroundPerSecond()) + "/s",
              alone ? "-" : Numbers.percent(backgroundKept(run.configuration())),
              alone ? "-" : contention(run)));
    }
    return new Table(
        List.of("run", "P50", "P99", "P99 ratio", "requests", "background", "kept", "contention"),
        rows);
  }

  private static String contention(Measurement run) {
    String share = Numbers.percent(run.contention().orElse(0));
    return (run.contentionProven() ? "proven, " : "NOT proven, ") + share;
  }
}
