package org.example;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.Arrays;
import java.util.List;

/**
 * FCFS: on each device, the queue that has been ready the longest runs until it has no more work.
 *
 * <p>When: batch jobs that want the device, its memory and its caches to themselves. Cost: a short
 * job waits for every long one that came before it.
 */
public final class FirstComeFirstServed implements Policy {
  private static final int NOBODY = -1;

  @Override
  public String name() {
    return "FCFS";
  }

  @Override
  public String summary() {
    return "the queue that has been ready the longest runs until it is done, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    List<QueueView> queues = snapshot.queues();
    int[] first = new int[snapshot.devices()];
    Arrays.fill(first, NOBODY);
    for (int i = 0; i < queues.size(); i++) {
      QueueView queue = queues.get(i);
      int best = first[queue.device()];
      if (queue.wantsToRun() && (best == NOBODY || isBefore(queue, queues.get(best)))) {
        first[queue.device()] = i;
      }
    }
    Decision.Builder decision = Decision.builder();
    for (int i = 0; i < queues.size(); i++) {
      QueueView queue = queues.get(i);
      int runs = first[queue.device()];
      // Where nobody is ready, all gates are open: whoever comes first starts without waiting.
      if (queue.hints().executes() && (runs == i || runs == NOBODY)) {
        decision.run(i);
      }
    }
    return decision.build();
  }

  private static boolean isBefore(QueueView a, QueueView b) {
    return a.readySinceNanos() != b.readySinceNanos()
        ? a.readySinceNanos() < b.readySinceNanos()
        : a.id() < b.id();
  }
}
