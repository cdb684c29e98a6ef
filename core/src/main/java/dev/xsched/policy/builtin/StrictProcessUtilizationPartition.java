package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * SPUP: a process never gets more of a device than its utilization, in percent of the time that
 * passes, even if the device would idle. All queues that a process has on the device run together.
 * The utilization of a process is the largest of its queues there; 100 is all of the time, 0 is
 * none of it.
 *
 * <p>Where the utilizations on a device add up to more than 100, all are scaled down. Processes
 * that are idle count as well: a share must not depend on what the neighbours do.
 *
 * <p><b>When:</b> shares are sold or measured, so that a tenant must see the same speed whether or
 * not the neighbours are busy; also to keep a device cool. <b>Cost:</b> time that nobody may use;
 * two switches per slice. A process that was idle can use at most one slice more than its share.
 * <b>Origin:</b> the token bucket (Turner, 1986), as in Linux's CPU bandwidth control (Turner, Rao
 * and Rao, 2010); the policy is XSched's.
 */
public final class StrictProcessUtilizationPartition implements Policy {
  @Override
  public String name() {
    return "SPUP";
  }

  @Override
  public String summary() {
    return "no process gets more than its utilization, even if the device would idle";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return Budgets.decide(snapshot);
  }
}
