package dev.xsched.bench.kills;

import dev.xsched.bench.scene.KillOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What all trios have seen so far. */
final class Tally {
  /** After so many there is no use in going on. */
  private static final int MOST_TROUBLES = 20;

  private final Map<String, Integer> kills = new TreeMap<>();
  private final Map<String, Double> longestStallMillis = new TreeMap<>();
  private final List<String> hangs = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private int whileInterrupted;
  private int whileSliced;
  private int whileBursting;
  private int besideEarlyTurns;
  private long checked;
  private long wrong;

  /**
   * Somebody was killed.
   *
   * @param interrupted whether the low program was at that moment
   * @param turnedEarly whether the device has turned to the high one before its work came
   */
  synchronized void killed(
      String who, boolean interrupted, boolean sliced, boolean bursting, boolean turnedEarly) {
    kills.merge(who, 1, Integer::sum);
    whileInterrupted += interrupted ? 1 : 0;
    whileSliced += sliced ? 1 : 0;
    whileBursting += bursting ? 1 : 0;
    besideEarlyTurns += turnedEarly ? 1 : 0;
  }

  /** A program is no more. */
  synchronized void ended(CheckedProgram program, long nowNanos) {
    Pulse pulse = program.pulse();
    longestStallMillis.merge(program.name(), pulse.longestStallNanos(nowNanos) / 1e6, Math::max);
    checked += pulse.checked();
    wrong += pulse.wrong();
    if (pulse.wrong() > 0) {
      faults.add("%s had %s".formatted(program.describe(), pulse.firstWrong()));
    }
  }

  synchronized void hang(String line) {
    hangs.add(line);
  }

  synchronized void fault(String line) {
    faults.add(line);
  }

  synchronized boolean hopeless() {
    return hangs.size() + faults.size() >= MOST_TROUBLES;
  }

  synchronized int allKills() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * Sums up.
   *
   * @param speedAfter as {@link KillOutcome} has it, as the rest
   */
  synchronized KillOutcome outcome(
      int trios,
      double latenessMillis,
      double speedAfter,
      List<String> ailments,
      List<String> notes) {
    return new KillOutcome(
        trios,
        Map.copyOf(kills),
        whileInterrupted,
        whileSliced,
        whileBursting,
        besideEarlyTurns,
        Map.copyOf(longestStallMillis),
        latenessMillis,
        checked,
        wrong,
        List.copyOf(hangs),
        List.copyOf(faults),
        speedAfter,
        List.copyOf(ailments),
        List.copyOf(notes));
  }
}
