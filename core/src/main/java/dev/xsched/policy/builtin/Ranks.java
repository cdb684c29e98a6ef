package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * "The highest rank runs": what HPF, HHPF, CHPF, LAX and AWF have in common. Of the queues that
 * compete, those run that are ranked as high as the highest ready one. So equal ones share, an idle
 * queue that may start at once has its gate open, and one that would disturb its betters has not.
 */
final class Ranks {
  /** What competes with what. */
  enum Arena {
    DEVICE,
    MACHINE
  }

  private Ranks() {}

  /** Opens the gates of the highest rank, where a rank needs nothing but the queue. */
  static Decision runHighest(Snapshot snapshot, Arena arena, ToIntFunction<QueueView> rankOf) {
    List<QueueView> queues = snapshot.queues();
    int[] ranks = new int[queues.size()];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = rankOf.applyAsInt(queues.get(i));
    }
    return runHighest(snapshot, arena, ranks).build();
  }

  /** Opens the gates of the highest rank. The caller adds what else its decision needs. */
  static Decision.Builder runHighest(Snapshot snapshot, Arena arena, int[] ranks) {
    List<QueueView> queues = snapshot.queues();
    int[] highest = new int[Math.max(1, snapshot.devices())];
    Arrays.fill(highest, Integer.MIN_VALUE);
    for (int i = 0; i < ranks.length; i++) {
      QueueView queue = queues.get(i);
      if (queue.wantsToRun()) {
        int place = place(queue, arena);
        highest[place] = Math.max(highest[place], ranks[i]);
      }
    }
    Decision.Builder decision = Decision.builder().rank(ranks, arena == Arena.MACHINE);
    for (int i = 0; i < ranks.length; i++) {
      QueueView queue = queues.get(i);
      if (ranks[i] >= highest[place(queue, arena)] && queue.hints().executes()) {
        decision.run(i);
      }
    }
    return decision;
  }

  private static int place(QueueView queue, Arena arena) {
    return arena == Arena.DEVICE ? queue.device() : 0;
  }
}
