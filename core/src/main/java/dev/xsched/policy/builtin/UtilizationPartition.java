package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;

/**
 * UP: the queues of a device take turns, with slices in proportion to their utilization. A round of
 * n ready queues lasts n time slices. What one does not use goes to the others, so a device never
 * idles while a queue is ready. A queue of utilization 0 runs only when nobody else on the device
 * is ready.
 *
 * <p><b>When:</b> several queues of one program, or programs of one queue each, should share a
 * device in fixed proportions. <b>Cost:</b> a switch per slice, so short slices cost throughput and
 * long ones latency; see {@link FairShare} for the rest. A program with more queues gets more: use
 * {@link ProcessUtilizationPartition} between programs. <b>Origin:</b> weighted round-robin, in the
 * form of weighted fair queueing (Demers, Keshav and Shenker, 1989); XSched.
 */
public final class UtilizationPartition implements Policy {
  private static final FairShare.Rules RULES =
      new FairShare.Rules(
          Claimants.Kind.QUEUE,
          UtilizationPartition::percent,
          UtilizationPartition::proportionalSlice,
          (_, _, _) -> 0);

  @Override
  public String name() {
    return "UP";
  }

  @Override
  public String summary() {
    return "queues take turns in proportion to their utilization, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return FairShare.decide(snapshot, RULES);
  }

  static double percent(QueueView queue) {
    return queue.hints().utilization();
  }

  /** The same virtual time for all: in real time, as long as the weight is large. */
  static double proportionalSlice(
      double timesliceNanos, int contenders, double totalWeight, double weight) {
    return timesliceNanos * contenders / totalWeight;
  }
}
