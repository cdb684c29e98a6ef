package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * PUP: the processes of a device take turns, with slices in proportion to their utilization. All
 * queues that a process has on the device run together. The utilization of a process is the largest
 * of its queues there; at 0 it runs only when no other process is ready.
 *
 * <p>What others leave is used, so a device never idles while a queue is ready. A process that went
 * idle keeps what it did not use, at most one slice, for one round; then half of it is gone with
 * every further round. So a short pause costs it nothing, and a long one wins it nothing.
 *
 * <p><b>When:</b> programs share a device in fixed proportions, each with as many queues as it
 * likes, and the device should be busy. <b>Cost:</b> as {@link UtilizationPartition}.
 * <b>Origin:</b> weighted fair queueing (Demers, Keshav and Shenker, 1989) between processes, after
 * XSched; the carry-over is our form of the bounded lag of Linux's EEVDF.
 */
public final class ProcessUtilizationPartition implements Policy {
  private static final FairShare.Rules RULES =
      new FairShare.Rules(
          Claimants.Kind.PROCESS,
          UtilizationPartition::percent,
          UtilizationPartition::proportionalSlice,
          ProcessUtilizationPartition::halvedAfterARound);

  @Override
  public String name() {
    return "PUP";
  }

  @Override
  public String summary() {
    return "processes take turns in proportion to their utilization, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return FairShare.decide(snapshot, RULES);
  }

  private static double halvedAfterARound(double unused, double slice, double roundsAsleep) {
    return Math.min(unused, slice) * Math.pow(0.5, Math.max(0, roundsAsleep - 1));
  }
}
