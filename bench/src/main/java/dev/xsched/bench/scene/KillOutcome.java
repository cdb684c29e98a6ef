package dev.xsched.bench.scene;

import java.util.List;
import java.util.Map;

/**
 * What came of killing programs and daemons.
 *
 * @param kills how many, by who it was: daemon, low, high
 * @param whileInterrupted how many of them while the low program was interrupted
 * @param whileSliced how many while its time slice was another than the driver's
 * @param whileBursting how many while the high program had work
 * @param besideEarlyTurns how many beside a high one to which the device had turned early
 * @param longestStallMillis the longest that a program did not get on, by which: low, high
 * @param latenessMillis what the machine itself did to a thread that sleeps, at the worst
 * @param hangs a line for each time that a program stood still for too long
 * @param faults a line for whatever else went wrong
 * @param speedAfter of a program that is alone, by what it was before
 * @param ailments what is wrong with the device afterwards
 */
public record KillOutcome(
    int trios,
    Map<String, Integer> kills,
    int whileInterrupted,
    int whileSliced,
    int whileBursting,
    int besideEarlyTurns,
    Map<String, Double> longestStallMillis,
    double latenessMillis,
    long resultsChecked,
    long resultsWrong,
    List<String> hangs,
    List<String> faults,
    double speedAfter,
    List<String> ailments,
    List<String> notes) {

  public int allKills() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }
}
