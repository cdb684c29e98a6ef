package dev.xsched.bench.scene;

import java.util.List;

/**
 * What came of running an unmodified program with the scheduler and without.
 *
 * @param seen whether the scheduler had its queues, with the priority that was asked for
 * @param slowdownPercent how much longer it took
 */
public record ProgramCheck(
    long outputsCompared,
    long outputsDifferent,
    boolean seen,
    double slowdownPercent,
    List<String> notes) {
  /** Which program. */
  public enum Program {
    PYTORCH,
    VENDOR_LIBRARIES
  }
}
