package dev.xsched.policy.builtin;

import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who shares a device with whom: single queues, or processes with all the queues that they have on
 * one device. A process with queues on two devices is two claimants. The number of a claimant is
 * the index of the first of its queues.
 *
 * <p>Facts about claimants are not stored but read off the snapshot, when and as often as they are
 * needed: most are looked at once and never again, so that is cheaper than arrays.
 */
final class Claimants {
  /** What counts as one claimant. */
  enum Kind {
    QUEUE,
    PROCESS
  }

  /**
   * What is remembered at each queue. All but the charged time is the same within a claimant, once
   * it was written down; until then, the one of the latest time counts.
   *
   * @param timeNanos its clock, or where the meter of its device stood
   * @param budgetNanos what it may spend, in policies with budgets
   * @param chargedNanos the used time of the queue that is accounted for
   * @param idleSinceNanos {@link #READY} while it is ready
   * @param background whether it had no weight
   */
  record Account(
      double timeNanos,
      double budgetNanos,
      long chargedNanos,
      long idleSinceNanos,
      boolean background) {
    /** Stands in for the time since when a claimant is idle, while it is ready. */
    static final long READY = Long.MAX_VALUE;
  }

  /**
   * What is known of a claimant.
   *
   * @param id stays the same from one snapshot to the next: that of the queue or process
   * @param weight the largest of its queues
   * @param ready whether one of its queues is ready and allowed to execute
   * @param charged whether all its queues were charged for all that they used
   * @param spentNanos for how long it had the device since it was charged
   */
  record Claimant(
      long id,
      int device,
      double weight,
      boolean ready,
      boolean charged,
      long spentNanos,
      @Nullable Account account) {}

  /** Stands for no claimant, and for no queue. */
  static final int NOBODY = -1;

  /** Stands for the id of no claimant. */
  static final long NO_ID = Long.MIN_VALUE;

  private final List<QueueView> queues;
  private final long nowNanos;
  private final Kind kind;
  private final ToDoubleFunction<QueueView> weights;

  // By queue; unused where queues are the claimants.
  private final boolean[] follows;
  private final int[] next;

  Claimants(Snapshot snapshot, Kind kind, ToDoubleFunction<QueueView> weights) {
    queues = snapshot.queues();
    nowNanos = snapshot.nowNanos();
    this.kind = kind;
    this.weights = weights;
    int linked = kind == Kind.PROCESS ? queues.size() : 0;
    follows = new boolean[linked];
    next = new int[linked];
    int[] firstPlusOne = new int[linked > 0 ? snapshot.devices() * snapshot.processSlots() : 0];
    for (int i = linked - 1; i >= 0; i--) {
      QueueView queue = queues.get(i);
      int place = queue.device() * snapshot.processSlots() + queue.process().slot();
      next[i] = firstPlusOne[place] - 1;
      firstPlusOne[place] = i + 1;
      if (next[i] != NOBODY) {
        follows[next[i]] = true;
      }
    }
  }

  /** Returns the number of the first claimant, or {@link #NOBODY}. */
  int first() {
    return after(NOBODY);
  }

  /** Returns the number of the claimant after this one, or {@link #NOBODY}. */
  int after(int number) {
    int i = number + 1;
    while (i < follows.length && follows[i]) {
      i++;
    }
    return i < queues.size() ? i : NOBODY;
  }

  /** Returns the index of the next queue of the same claimant, or {@link #NOBODY}. */
  int next(int index) {
    return kind == Kind.QUEUE ? NOBODY : next[index];
  }

  Claimant get(int number) {
    QueueView first = queues.get(number);
    double largestWeight = 0;
    boolean ready = false;
    boolean charged = true;
    long spentNanos = 0;
    Account latest = null;
    for (int i = number; i != NOBODY; i = next(i)) {
      QueueView queue = queues.get(i);
      double weight = weights.applyAsDouble(queue);
      largestWeight = weight > largestWeight ? weight : largestWeight;
      ready |= queue.wantsToRun();
      if (queue.memory() instanceof Account account) {
        // Queues of one claimant run at the same time: the longest used is the time it had.
        long spent = queue.usedNanos(nowNanos) - account.chargedNanos();
        charged &= spent == 0;
        spentNanos = Math.max(spentNanos, spent);
        latest = latest == null || account.timeNanos() >= latest.timeNanos() ? account : latest;
      } else {
        charged = false;
      }
    }
    long id = kind == Kind.QUEUE ? first.id() : first.process().id();
    return new Claimant(id, first.device(), largestWeight, ready, charged, spentNanos, latest);
  }
}
