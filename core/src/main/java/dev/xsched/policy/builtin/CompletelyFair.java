package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;

/**
 * CFS: on each device, the queue with the least weighted virtual runtime runs for one time slice.
 * The weight is 1024 x 1.2^priority, so one step of priority is worth a fifth more time, and four
 * steps are about twice as much. A new queue, and one that slept, starts at the minimum of its
 * device: it neither has to wait for the others nor makes them wait.
 *
 * <p><b>When:</b> many queues of unlike importance, nobody may starve, and priorities are easier to
 * give than percentages. <b>Cost:</b> a switch per slice; see {@link FairShare} for the rest. Far
 * apart priorities come close to starving: 50 steps are one part in nine thousand. <b>Origin:</b>
 * Linux's completely fair scheduler (Molnar, 2007); the base 1.2 is XSched's, Linux has 1.25.
 */
public final class CompletelyFair implements Policy {
  private static final int PRIORITY_MIN = (int) Hint.PRIORITY.min();
  private static final double[] WEIGHTS = weights();

  private static final FairShare.Rules RULES =
      new FairShare.Rules(
          Claimants.Kind.QUEUE,
          CompletelyFair::weight,
          (timesliceNanos, _, _, weight) -> timesliceNanos / weight,
          (_, _, _) -> 0);

  @Override
  public String name() {
    return "CFS";
  }

  @Override
  public String summary() {
    return "queues share by weight, a fifth more per step of priority, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return FairShare.decide(snapshot, RULES);
  }

  private static double weight(QueueView queue) {
    return WEIGHTS[queue.hints().priority() - PRIORITY_MIN];
  }

  private static double[] weights() {
    double[] weights = new double[(int) Hint.PRIORITY.max() - PRIORITY_MIN + 1];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 1024 * Math.pow(1.2, i + PRIORITY_MIN);
    }
    return weights;
  }
}
