package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.builtin.Workload.Outcome;
import org.junit.jupiter.api.Test;

/**
 * SLO on a virtual device that gives the background its share by time slices: does the foreground
 * keep its goal, and what does the background get? The law is that of {@link GoalsOnDevicesTest};
 * it was not tuned for this device.
 */
class GoalsOnSlicesTest {
  private static final long FIRST_SEED = 7_001;
  private static final int WORKLOADS = 70;
  private static final int SWEPT = 10;
  private static final double[] SHARES = {0.02, 0.05, 0.1, 0.2, 0.35, 0.6, 1};

  @Test
  void theGoalIsKeptWhereStrictPriorityKeepsItAndTheBackgroundGetsNearlyTheMost() {
    int feasible = 0;
    int kept = 0;
    int swept = 0;
    double gain = 0;
    double ofBest = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + WORKLOADS; seed++) {
      Workload workload = Workload.randomWithSlices(seed);
      long goal = Math.round(workload.aloneNanos() * workload.ratio());
      Outcome strict = workload.strict();
      if (strict.p99Nanos() > goal) {
        continue;
      }
      Outcome withGoal = workload.withGoal(goal);
      feasible++;
      kept += withGoal.p99Nanos() <= goal ? 1 : 0;
      gain += withGoal.backgroundPerSecond() / strict.backgroundPerSecond();
      if (swept < SWEPT) {
        swept++;
        ofBest += withGoal.backgroundPerSecond() / bestFixed(workload, goal, strict);
      }
    }
    System.out.printf(
        "SLO with time slices, simulated: goal kept in %d of %d feasible workloads; background %.3f"
            + " of strict priority's, %.3f of the best fixed share's (%d workloads)%n",
        kept, feasible, gain / feasible, ofBest / swept, swept);
    assertThat(feasible).as("workloads with a goal that can be kept").isGreaterThan(60);
    assertThat(kept)
        .as("goals kept of %s", feasible)
        .isGreaterThanOrEqualTo(Math.ceilDiv(feasible * 98, 100));
    assertThat(ofBest / swept).as("background against the best fixed share").isGreaterThan(0.92);
    assertThat(gain / feasible).as("background against strict priority").isGreaterThan(1.2);
  }

  /** What the background gets with the one share, of those tried, that is best and in time. */
  private static double bestFixed(Workload workload, long goalNanos, Outcome strict) {
    double best = strict.backgroundPerSecond();
    for (double share : SHARES) {
      Outcome outcome = workload.withShare(share);
      if (outcome.p99Nanos() <= goalNanos) {
        best = Math.max(best, outcome.backgroundPerSecond());
      }
    }
    return best;
  }
}
