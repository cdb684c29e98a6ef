package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;

/**
 * AWF: on each device, queues of the process that owns the active window run first. Where it has
 * nothing ready, all others share the device.
 *
 * <p><b>When:</b> on a desktop or laptop, so that the program in front of the user stays smooth
 * while others compute behind it. Something that knows the desktop must keep the hint {@link
 * Hint#WINDOW_ACTIVE} at the pid in front. <b>Cost:</b> as {@link HighestPriorityFirst}; a busy
 * program in front starves those behind it until the window changes. <b>Origin:</b> the foreground
 * boost of desktop systems (Windows NT's foreground quantum); XSched.
 */
public final class ActiveWindowFirst implements Policy {
  private static final int BEHIND = 0;
  private static final int IN_FRONT = 1;

  @Override
  public String name() {
    return "AWF";
  }

  @Override
  public String summary() {
    return "the program whose window is active runs first, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    long active = snapshot.system().get(Hint.WINDOW_ACTIVE);
    return Ranks.runHighest(
        snapshot,
        Ranks.Arena.DEVICE,
        queue -> active != 0 && queue.process().pid() == active ? IN_FRONT : BEHIND);
  }
}
