package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Outcome;
import java.util.Arrays;
import java.util.Optional;

/** What the scheduler costs a program that is alone: the same work with it and without. */
final class Overhead {
  private Overhead() {}

  /** How much longer a request of a continuous party takes, in percent. */
  static Measure runtimePercent(Runs runs, String with, String without, String party) {
    return runs.meanRatio(
            with, o -> secondsPerRequest(o, party), without, o -> secondsPerRequest(o, party))
        .map(ratio -> 100 * (ratio - 1));
  }

  /** The same; findings are invalid if the program is so much faster that it cannot be. */
  static Measure runtimePercent(
      Findings findings, String what, Runs runs, String with, String without, String party) {
    Measure percent = runtimePercent(runs, with, without, party);
    Validity.throughputAgainstStandalone(findings, what, percent.map(p -> 1 / (1 + p / 100)));
    return percent;
  }

  /** From end to end, because a count has no fractions: 1 of 25 would be 4 percent. */
  private static double secondsPerRequest(Outcome outcome, String party) {
    return Arrays.stream(outcome.party(party).requests().intervals()).average().orElse(Double.NaN)
        / 1e9;
  }

  /**
   * Added processor time of the program, and of the daemon, in percent of one core; nothing if the
   * stage does not know it.
   */
  static Optional<Measure> processorPercent(Runs runs, String with, String without, String party) {
    boolean known =
        runs.of(with).stream().allMatch(o -> o.party(party).processorSeconds().isPresent())
            && runs.of(without).stream()
                .allMatch(o -> o.party(party).processorSeconds().isPresent());
    if (!known) {
      return Optional.empty();
    }
    double before = runs.mean(without, o -> cores(o, party)).value();
    return Optional.of(
        runs.mean(with, o -> cores(o, party) + o.schedulerSeconds().orElse(0) / o.seconds())
            .map(cores -> 100 * (cores - before)));
  }

  private static double cores(Outcome outcome, String party) {
    return outcome.party(party).processorSeconds().orElse(0) / outcome.seconds();
  }

  /** Puts both under the names that the plan has for them. */
  static void put(Findings findings, Runs runs, String with, String without, String party) {
    findings.put("runtime_overhead_percent", runtimePercent(runs, with, without, party));
    processorPercent(runs, with, without, party)
        .ifPresentOrElse(
            percent -> findings.put("cpu_overhead_percent", percent),
            () -> findings.note("processor time is not known on this device"));
  }
}
