package dev.xsched.bench.worker;

import java.util.List;

/**
 * What came of a program that knows nothing of the scheduler, run without it and under it.
 *
 * @param program what it computed
 * @param sameOutput whether both runs computed the same
 * @param launched how many launches the daemon counted
 * @param levels those that the daemon has for it
 * @param mechanism how it is kept apart from others, or why there is no level 3; may be empty
 */
public record Interception(
    String program, boolean sameOutput, long launched, List<Integer> levels, String mechanism) {
  /** Whether the scheduler saw the program and left its results alone. */
  public boolean proven() {
    return sameOutput && launched > 0;
  }
}
