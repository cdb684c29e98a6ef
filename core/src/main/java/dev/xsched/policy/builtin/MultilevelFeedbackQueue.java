package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MLFQ: learns which queues are interactive, without any hint. There are four levels; on each
 * device the first queue of the best level runs, alone.
 *
 * <ol>
 *   <li>A queue starts at level 1; at level 0 if its priority is above, at level 2 if it is below
 *       the default. That is also the best it can reach.
 *   <li>A queue that has used up the slice of its level goes down one level, to its end. Slices are
 *       2, 4, 8 and 16 ms. A pause does not renew a slice, so nobody keeps a level by trickery.
 *   <li>A queue that was idle for as long as the slice of its level goes up one level, with a fresh
 *       slice.
 *   <li>A queue that has waited for half a second counts as level 0 until it has had its slice.
 *       There it is first in line, so none starves.
 * </ol>
 *
 * <p><b>When:</b> short interactive work and long batch work are mixed and nobody knows which is
 * which. <b>Cost:</b> two passes over the queues; a switch per slice, and one whenever a queue of a
 * better level turns ready. Long work among much short work is slow, and shares are not
 * predictable. <b>Origin:</b> Corbato's CTSS (1962), with the accounting rules of Arpaci-Dusseau,
 * Operating Systems: Three Easy Pieces, chapter 8; their periodic boost of all is replaced by rule
 * 4, which disturbs only where somebody waits.
 */
public final class MultilevelFeedbackQueue implements Policy {
  private static final int LAST_LEVEL = 3;
  private static final long FIRST_SLICE_NANOS = 2_000_000;
  private static final long STARVING_NANOS = 500_000_000;

  /** What is remembered of a queue: its place, and how much of its slice is used. */
  private record Standing(
      int level, long queuedNanos, long spentNanos, long chargedNanos, long idleSinceNanos) {
    /** Stands in for the time since when it is idle, while it is not. */
    static final long READY = Long.MAX_VALUE;

    int levelAt(long now) {
      return now - queuedNanos >= STARVING_NANOS ? 0 : level;
    }
  }

  @Override
  public String name() {
    return "MLFQ";
  }

  @Override
  public String summary() {
    return "short work first, learnt from how long queues run before they pause, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    List<QueueView> queues = snapshot.queues();
    long now = snapshot.nowNanos();
    Decision.Builder decision = Decision.builder();
    @Nullable Standing[] first = new @Nullable Standing[snapshot.devices()];
    int[] firstIndex = new int[first.length];
    int[] ready = new int[first.length];
    Arrays.fill(firstIndex, -1);
    for (int i = 0; i < queues.size(); i++) {
      QueueView queue = queues.get(i);
      Standing standing = standing(queue, now);
      if (!standing.equals(queue.memory())) {
        decision.remember(i, standing);
      }
      if (queue.wantsToRun()) {
        int device = queue.device();
        ready[device]++;
        Standing best = first[device];
        if (best == null
            || goesBefore(queue.id(), standing, queues.get(firstIndex[device]).id(), best, now)) {
          first[device] = standing;
          firstIndex[device] = i;
        }
      }
    }
    for (int device = 0; device < first.length; device++) {
      Standing best = first[device];
      if (best != null && ready[device] > 1) {
        decision.wakeAt(now + slice(best.level()) - best.spentNanos());
      }
    }
    for (int i = 0; i < queues.size(); i++) {
      QueueView queue = queues.get(i);
      int runs = firstIndex[queue.device()];
      if (queue.hints().executes() && (runs < 0 || runs == i)) {
        decision.run(i);
      }
    }
    return decision.build();
  }

  private static boolean goesBefore(long id, Standing a, long otherId, Standing b, long now) {
    if (a.levelAt(now) != b.levelAt(now)) {
      return a.levelAt(now) < b.levelAt(now);
    }
    return a.queuedNanos() != b.queuedNanos() ? a.queuedNanos() < b.queuedNanos() : id < otherId;
  }

  /** Returns where the queue stands now; nothing new is made if nothing changed. */
  private static Standing standing(QueueView queue, long now) {
    int best = bestLevel(queue.hints().priority());
    long used = queue.usedNanos(now);
    long idleSince = queue.wantsToRun() ? Standing.READY : now;
    if (!(queue.memory() instanceof Standing old)) {
      return new Standing(best, now, 0, used, idleSince);
    }
    boolean wasIdle = old.idleSinceNanos() != Standing.READY;
    boolean isIdle = idleSince != Standing.READY;
    if (used == old.chargedNanos() && wasIdle == isIdle && best <= old.level()) {
      return old;
    }
    int level = Math.max(best, old.level());
    long spent = old.spentNanos() + used - old.chargedNanos();
    long queued = old.queuedNanos();
    while (spent >= slice(level)) {
      spent = level < LAST_LEVEL ? spent - slice(level) : spent % slice(level);
      level = Math.min(level + 1, LAST_LEVEL);
      queued = now;
    }
    if (wasIdle && !isIdle) {
      queued = now;
      if (now - old.idleSinceNanos() >= slice(level)) {
        level = Math.max(best, level - 1);
        spent = 0;
      }
    }
    return new Standing(
        level, queued, spent, used, wasIdle && isIdle ? old.idleSinceNanos() : idleSince);
  }

  private static int bestLevel(int priority) {
    return 1 - Integer.signum(priority);
  }

  private static long slice(int level) {
    return FIRST_SLICE_NANOS << level;
  }
}
