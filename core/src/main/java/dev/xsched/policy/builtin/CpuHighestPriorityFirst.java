package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * CHPF: as {@link HighestPriorityFirst}, with the CPU nice value of the process as its priority. A
 * nice value of -20 is the most important, 19 the least. The priority hint counts only where it
 * says "do not execute".
 *
 * <p><b>When:</b> the machine is already administered with {@code nice}, and programs should mean
 * on the accelerator what they mean on the CPU, without any hint. <b>Cost:</b> as {@link
 * HighestPriorityFirst}; note that nice is a wish among CPU tasks but a strict order here.
 * <b>Origin:</b> XSched.
 */
public final class CpuHighestPriorityFirst implements Policy {
  @Override
  public String name() {
    return "CHPF";
  }

  @Override
  public String summary() {
    return "the process with the lowest CPU nice value runs, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    return Ranks.runHighest(snapshot, Ranks.Arena.DEVICE, queue -> -queue.process().nice());
  }
}
