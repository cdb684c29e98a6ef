package dev.xsched.sim;

import dev.xsched.policy.Decision;
import dev.xsched.policy.QueueView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sets the time slices of programs as a policy's ranks and shares want it, as the daemon does on a
 * GPU: a slice without end for the highest rank, and for the others the share of what the device
 * would give them by itself.
 */
final class SliceOrders {
  private static final long HIGH_NANOS = 1_000_000_000;
  private static final long LEAST_NANOS = 1_000;

  private final long ownNanos;
  private final EventLoop loop;
  private final long takesNanos;
  private final Map<Long, VirtualQueue> queues = new HashMap<>();
  private final Map<VirtualQueue, Long> ordered = new HashMap<>();

  /**
   * Nothing is ordered yet.
   *
   * @param ownNanos the device's own slice
   * @param takesNanos from the order until it is in force
   */
  SliceOrders(long ownNanos, EventLoop loop, long takesNanos) {
    this.ownNanos = ownNanos;
    this.loop = loop;
    this.takesNanos = takesNanos;
  }

  void add(long id, VirtualQueue queue) {
    queues.put(id, queue);
  }

  /** Orders what changed since the last time. */
  void follow(Decision.Ranking ranking, List<QueueView> views) {
    int highest = Integer.MIN_VALUE;
    for (int i = 0; i < views.size(); i++) {
      boolean known = queues.containsKey(views.get(i).id());
      highest = known ? Math.max(highest, ranking.rank(i)) : highest;
    }
    for (int i = 0; i < views.size(); i++) {
      VirtualQueue queue = queues.get(views.get(i).id());
      if (queue != null) {
        double share = ranking.share(views.get(i).device());
        order(queue, sliceNanos(ranking.rank(i) == highest, share));
      }
    }
  }

  private long sliceNanos(boolean high, double share) {
    if (Double.isNaN(share)) {
      return ownNanos;
    }
    return high ? HIGH_NANOS : Math.max(LEAST_NANOS, Math.round(share * ownNanos));
  }

  private void order(VirtualQueue queue, long nanos) {
    Long before = ordered.put(queue, nanos);
    if (before == null || before != nanos) {
      loop.at(loop.nowNanos() + takesNanos, () -> queue.setSlice(nanos));
    }
  }
}
