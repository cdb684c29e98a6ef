package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * HHPF: over all devices together, only the ready queues of the highest priority run.
 *
 * <p><b>When:</b> devices get in each other's way although their queues are separate: on a chip
 * with shared memory, a GPU task eats the bandwidth that an important NPU task needs. <b>Cost:</b>
 * as {@link HighestPriorityFirst}, and devices stand idle for the sake of another one: choose it
 * only where they really share something. <b>Origin:</b> XSched (OSDI 2025), heterogeneous
 * scheduling on a laptop chip with GPU and NPU.
 */
public final class HeterogeneousHighestPriorityFirst implements Policy {
  @Override
  public String name() {
    return "HHPF";
  }

  @Override
  public String summary() {
    return "the most important work runs, over all devices; other devices wait for it";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return Ranks.runHighest(snapshot, Ranks.Arena.MACHINE, queue -> queue.hints().priority());
  }
}
