package dev.xsched.bench.baseline;

/**
 * Feedback as in TGS (NSDI 2023): the share of a job that does not matter grows by a step as long
 * as the job that matters keeps the pace that it had alone, and is halved as soon as it does not.
 * It knows nothing of requests: only of how fast the other one gets on. Not thread-safe.
 */
public final class RateController {
  private static final double STEP_POINTS = 1;

  /** What it begins with, and never goes below. */
  public static final double LEAST_PERCENT = 1;

  private static final double TOLERANCE = 0.05;

  /** So often the job that matters is left nearly alone at first, to learn its pace. */
  private static final int PROFILED = 3;

  private double percent = LEAST_PERCENT;
  private double alone;
  private int profiled;

  /**
   * Takes in how fast the job that matters got on since the last time, and returns what percent of
   * the device the other may have.
   *
   * @param pace device time for each second in which it had work; NaN if it had none
   */
  public double adjust(double pace) {
    if (profiled < PROFILED) {
      if (!Double.isNaN(pace)) {
        alone += pace / PROFILED;
        profiled++;
      }
      return LEAST_PERCENT;
    }
    percent =
        pace < (1 - TOLERANCE) * alone
            ? Math.max(LEAST_PERCENT, percent / 2)
            : Math.min(100, percent + STEP_POINTS);
    return percent;
  }
}
