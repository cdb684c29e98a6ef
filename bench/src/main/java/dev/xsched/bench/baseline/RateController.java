package dev.xsched.bench.baseline;

/**
 * Feedback as in TGS (NSDI 2023): the share of a job that does not matter grows by a step as long
 * as the job that matters keeps the best pace that was seen of it, and is halved as soon as it does
 * not. It knows nothing of requests: only of how fast the other one gets on. Not thread-safe.
 */
public final class RateController {
  private static final double STEP_POINTS = 1;
  private static final double LEAST_PERCENT = 1;
  private static final double TOLERANCE = 0.05;

  /** Weight of a new pace: the last ten count. */
  private static final double SMOOTHING = 0.2;

  private double percent = LEAST_PERCENT;
  private double pace;
  private double best;

  /** Takes in the pace since the last time, and returns what the other may have. */
  public double adjust(double newPace) {
    pace = pace == 0 ? newPace : pace + SMOOTHING * (newPace - pace);
    best = Math.max(best, pace);
    percent =
        pace < (1 - TOLERANCE) * best
            ? Math.max(LEAST_PERCENT, percent / 2)
            : Math.min(100, percent + STEP_POINTS);
    return percent;
  }
}
