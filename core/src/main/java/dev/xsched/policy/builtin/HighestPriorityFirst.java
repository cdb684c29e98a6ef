package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * HPF: on each device only the ready queues of the highest priority run; equal ones share.
 *
 * <p><b>When:</b> one program matters and the others may have what it leaves, such as inference
 * next to training. <b>Cost:</b> two passes over the queues and no timer, so nothing happens
 * between events. A ready queue of higher priority starves the lower ones for as long as it likes.
 * <b>Origin:</b> the fixed-priority scheduling of real-time systems (Liu and Layland, 1973); the
 * default policy of XSched (OSDI 2025).
 */
public final class HighestPriorityFirst implements Policy {
  @Override
  public String name() {
    return "HPF";
  }

  @Override
  public String summary() {
    return "the most important work runs, per device; the rest gets what it leaves";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return Ranks.runHighest(snapshot, Ranks.Arena.DEVICE, queue -> queue.hints().priority());
  }
}
