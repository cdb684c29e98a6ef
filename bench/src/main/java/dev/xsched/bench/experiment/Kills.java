package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.scene.KillOutcome;
import dev.xsched.bench.scene.KillPlan;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;
import java.util.List;

/**
 * N.6: daemon and programs are killed at random, most of them while one is held down by the device
 * for another's sake. Who is left goes on within a second, with right results.
 */
final class Kills implements Experiment {
  private static final int KILLS = 1_000;

  /** In the time that there is where it is to be quick, so many will do. */
  private static final int FEWEST_QUICK = 300;

  private static final long SEED = 1;
  private static final double SPEED = 0.9;
  private static final int MOST_NOTES = 10;

  @Override
  public String id() {
    return "N.6";
  }

  @Override
  public String title() {
    return "Kills of daemon and programs while work is interrupted";
  }

  @Override
  public String figure() {
    return "";
  }

  /** After that, nobody more is killed. */
  @Override
  public Duration typicalLength(Extent extent) {
    return Duration.ofSeconds(extent.quick() ? 150 : 600);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    KillPlan plan = new KillPlan(KILLS, 0, SEED, typicalLength(director.extent()));
    int wanted = director.extent().quick() ? FEWEST_QUICK : KILLS;
    judge(director.stage().kill(plan), wanted, findings);
  }

  static void judge(KillOutcome outcome, int wanted, Findings findings) {
    put(outcome, findings);
    outcome.notes().forEach(findings::note);
    noteSome("hang", outcome.hangs(), findings);
    noteSome("fault", outcome.faults(), findings);
    outcome.ailments().forEach(findings::note);
    if (outcome.whileInterrupted() + outcome.whileSliced() == 0) {
      findings.invalid(
          "no program was ever held down by the device, so nobody was killed meanwhile; see with"
              + " xsched doctor why level 3 is not offered");
    }
    findings.holds(
        "kills",
        "at least " + wanted,
        Measure.exactly(outcome.allKills()),
        outcome.allKills() >= wanted,
        null);
    none("programs that did not get on for over 1 s", outcome.hangs().size(), findings);
    findings.holds(
        "wrong results",
        "0 of at least 1",
        Measure.exactly((double) outcome.resultsWrong()),
        outcome.resultsWrong() == 0 && outcome.resultsChecked() > 0,
        null);
    none("other faults", outcome.faults().size(), findings);
    none("what is wrong with the device afterwards", outcome.ailments().size(), findings);
    findings.above(
        "speed of a fresh program, by what it was before",
        Measure.exactly(outcome.speedAfter()),
        SPEED,
        "x",
        null);
  }

  private static void put(KillOutcome outcome, Findings findings) {
    findings.configure("trios_side_by_side", Integer.toString(outcome.trios()));
    findings.put("kills", outcome.allKills());
    outcome.kills().forEach((who, count) -> findings.put("kills_of_" + who, count));
    findings.put("kills_while_interrupted", outcome.whileInterrupted());
    findings.put("kills_while_sliced", outcome.whileSliced());
    findings.put("kills_while_the_high_one_had_work", outcome.whileBursting());
    findings.put("kills_beside_early_turns", outcome.besideEarlyTurns());
    outcome
        .longestStallMillis()
        .forEach((who, millis) -> findings.put("longest_stall_ms_" + who, millis));
    findings.put("lateness_of_the_machine_ms", outcome.latenessMillis());
    findings.put("results_checked", outcome.resultsChecked());
    findings.put("results_wrong", outcome.resultsWrong());
  }

  private static void noteSome(String what, List<String> lines, Findings findings) {
    lines.stream().limit(MOST_NOTES).forEach(line -> findings.note(what + ": " + line));
  }

  private static void none(String name, int count, Findings findings) {
    findings.holds(name, "0", Measure.exactly(count), count == 0, null);
  }
}
