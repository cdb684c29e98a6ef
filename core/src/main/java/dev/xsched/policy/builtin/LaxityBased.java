package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.List;

/**
 * LAX: a queue has its lax priority until it was ready for its laxity, and its critical priority
 * from that very moment on. A queue without laxity has its plain priority. On each device, the
 * highest ready priority runs; equal ones share.
 *
 * <p><b>When:</b> work that can wait a while but not forever: give it a low lax priority, so that
 * it fills gaps, and a high critical one, so that it still finishes in time. Laxity is what is left
 * of the deadline once the work itself is taken off. <b>Cost:</b> three passes over the queues, and
 * one timer for the earliest laxity to expire. <b>Origin:</b> a two-step form of least laxity first
 * (Mok, 1983), which avoids its many switches; XSched.
 */
public final class LaxityBased implements Policy {
  @Override
  public String name() {
    return "LAX";
  }

  @Override
  public String summary() {
    return "work waits at low priority and turns urgent when its laxity is used up, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    long now = snapshot.nowNanos();
    List<QueueView> queues = snapshot.queues();
    int[] priorities = new int[queues.size()];
    long earliestExpiry = Decision.NEVER;
    boolean anyLaxity = false;
    for (int i = 0; i < priorities.length; i++) {
      QueueView queue = queues.get(i);
      Hints hints = queue.hints();
      long laxity = hints.nanos(Hint.LAXITY);
      long start = queue.ready() ? queue.readySinceNanos() : now;
      long expiry = Times.after(start, laxity);
      anyLaxity |= laxity != Hint.UNSET;
      if (laxity == Hint.UNSET) {
        priorities[i] = hints.priority();
      } else if (expiry <= now) {
        priorities[i] = (int) hints.get(Hint.CRITICAL_PRIORITY);
      } else {
        priorities[i] = (int) hints.get(Hint.LAX_PRIORITY);
        if (queue.wantsToRun()) {
          earliestExpiry = Math.min(earliestExpiry, expiry);
        }
      }
    }
    Decision.Builder decision = Ranks.runHighest(snapshot, Ranks.Arena.DEVICE, priorities);
    if (anyLaxity) {
      decision.ranksMayChange(); // Not only while one is ready: it soon may be.
    }
    return decision.wakeAt(earliestExpiry).build();
  }
}
