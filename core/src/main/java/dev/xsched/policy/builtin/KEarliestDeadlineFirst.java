package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.List;

/**
 * KEDF: on each device, the k ready queues with the earliest deadline run. The deadline is the
 * ready time plus the deadline hint. Queues without one come last, in the order in which they
 * turned ready.
 *
 * <p><b>When:</b> periodic work with deadlines: camera frames, control loops, audio. With k = 1 and
 * free preemption it meets every deadline that can be met at all; a larger k fills a device that
 * one queue leaves half empty. <b>Cost:</b> {@code n log k}, no timer. Under overload it fails many
 * instead of few: whoever is hopelessly late has the earliest deadline. <b>Origin:</b> earliest
 * deadline first (Liu and Layland, 1973; optimal on one processor, Dertouzos, 1974); the k is
 * XSched's.
 */
public final class KEarliestDeadlineFirst implements Policy {
  @Override
  public String name() {
    return "KEDF";
  }

  @Override
  public String summary() {
    return "the k queues with the earliest deadline run, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    List<QueueView> queues = snapshot.queues();
    int count = queues.size();
    long k = snapshot.system().get(Hint.K);
    long[] deadlines = new long[count];
    long[] readySince = new long[count];
    long[] ids = new long[count];
    int[] ready = new int[snapshot.devices()];
    for (int i = 0; i < count; i++) {
      QueueView queue = queues.get(i);
      if (queue.wantsToRun()) {
        ready[queue.device()]++;
        readySince[i] = queue.readySinceNanos();
        deadlines[i] = Times.after(readySince[i], queue.hints().nanos(Hint.DEADLINE));
        ids[i] = queue.id();
      }
    }

    EarliestFirst[] picked = new EarliestFirst[ready.length];
    for (int device = 0; device < ready.length; device++) {
      int capacity = (int) Math.min(k, ready[device]);
      picked[device] = new EarliestFirst(deadlines, readySince, ids, capacity);
    }
    Decision.Builder decision = Decision.builder();
    for (int i = 0; i < count; i++) {
      QueueView queue = queues.get(i);
      if (queue.wantsToRun()) {
        picked[queue.device()].offer(i);
      } else if (queue.hints().executes() && ready[queue.device()] < k) {
        decision.run(i); // a place is free for whoever turns ready first
      }
    }
    for (EarliestFirst ofDevice : picked) {
      for (int i = 0; i < ofDevice.size(); i++) {
        decision.run(ofDevice.get(i));
      }
    }
    return decision.build();
  }
}
