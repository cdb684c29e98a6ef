package dev.xsched.policy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Which queues of a {@link Snapshot} may run, and when to ask again. All others are suspended. */
public final class Decision {
  /** A wake-up time that never comes: ask again only when something happens. */
  public static final long NEVER = Long.MAX_VALUE;

  private final BitSet run = new BitSet();
  private long wakeNanos = NEVER;
  private @Nullable Object memory;
  private final List<QueueMemory> queueMemories = new ArrayList<>();
  private final List<QueueGoal> goals = new ArrayList<>();
  private @Nullable Ranking ranking;

  /**
   * What a policy of ranks promises: of the queues that compete, those run that are ranked as high
   * as the highest ready one. So whoever knows the ranks may stop a lower queue the moment a higher
   * one turns ready, and need not wait until the policy was asked. On a device with a {@link
   * #share} the lower ones are not stopped, but get no more than that.
   */
  public static final class Ranking {
    private final int[] ranks;
    private final boolean acrossDevices;
    private Map<Integer, Double> shares = Map.of();
    private boolean mayChange;

    private Ranking(int[] ranks, boolean acrossDevices) {
      this.ranks = ranks;
      this.acrossDevices = acrossDevices;
    }

    /** The rank of the queue at this index of the snapshot; higher runs first. */
    public int rank(int index) {
      return ranks[index];
    }

    /** Whether queues of all devices compete, not only those of the same one. */
    public boolean acrossDevices() {
      return acrossDevices;
    }

    /**
     * What part of a device those below may have while a queue of the highest rank is at work: 0 is
     * strict priority, 1 is as if nobody scheduled, and not a number is that the policy says
     * nothing of it. Where it says so, ranks stand, whatever {@link #mayChange} says.
     */
    public double share(int device) {
      return shares.getOrDefault(device, Double.NaN);
    }

    /** Whether ranks may change as time passes, although nothing happens. */
    public boolean mayChange() {
      return mayChange;
    }
  }

  private record QueueMemory(int index, Object memory) {}

  private record QueueGoal(int index, GoalState state) {}

  private Decision() {}

  public static Builder builder() {
    return new Decision().new Builder();
  }

  /** Returns whether the queue at this index of the snapshot may run. */
  public boolean runs(int index) {
    return run.get(index);
  }

  /** Returns when the policy wants to be asked again, or {@link #NEVER}. */
  public long wakeNanos() {
    return wakeNanos;
  }

  /** Returns what the next snapshot shows as {@link Snapshot#memory()}. */
  public @Nullable Object memory() {
    return memory;
  }

  /** Returns the promise of a policy of ranks, or null if this one makes none. */
  public @Nullable Ranking ranking() {
    return ranking;
  }

  /** Throws unless this decision is one about a snapshot of so many queues. */
  public void check(int queues) {
    if (run.length() > queues) {
      throw new IllegalStateException(
          "queue %d is to run, of %d; give its index in the snapshot"
              .formatted(run.length() - 1, queues));
    }
    if (ranking != null && ranking.ranks.length < queues) {
      throw new IllegalStateException(
          "%d ranks for %d queues".formatted(ranking.ranks.length, queues));
    }
    queueMemories.forEach(queue -> Objects.checkIndex(queue.index(), queues));
    goals.forEach(queue -> Objects.checkIndex(queue.index(), queues));
  }

  /** Calls back for every queue whose {@link QueueView#memory()} changes. */
  public void forEachQueueMemory(ObjIntConsumer<Object> consumer) {
    for (QueueMemory queue : queueMemories) {
      consumer.accept(queue.memory(), queue.index());
    }
  }

  /** Calls back for every queue that has a goal. */
  public void forEachGoal(ObjIntConsumer<GoalState> consumer) {
    for (QueueGoal goal : goals) {
      consumer.accept(goal.state(), goal.index());
    }
  }

  /** Collects a decision. One use only. */
  public final class Builder {
    private final Map<Integer, Double> shares = new HashMap<>();
    private boolean ranksMayChange;

    private Builder() {}

    /** Lets the queue at this index run. It need not be ready: an open gate costs nothing. */
    public Builder run(int index) {
      run.set(index);
      return this;
    }

    /** Asks for another decision at that time at the latest; the earliest request wins. */
    public Builder wakeAt(long nanos) {
      wakeNanos = Math.min(wakeNanos, nanos);
      return this;
    }

    public Builder remember(Object newMemory) {
      memory = newMemory;
      return this;
    }

    /** Remembers something of one queue; queues not named keep what they had. */
    public Builder remember(int index, Object queueMemory) {
      queueMemories.add(new QueueMemory(index, queueMemory));
      return this;
    }

    /** Shows how a queue with a goal fares; who is not named has none. */
    public Builder goal(int index, GoalState state) {
      goals.add(new QueueGoal(index, state));
      return this;
    }

    /** Promises what {@link Ranking} says; the policy leaves the array alone from then on. */
    public Builder rank(int[] ranks, boolean acrossDevices) {
      ranking = new Ranking(ranks, acrossDevices);
      return this;
    }

    /** Says so; asking to be asked again at some time says it, too. */
    public Builder ranksMayChange() {
      ranksMayChange = true;
      return this;
    }

    /**
     * Says what those below the highest rank get, see {@link Ranking#share}. Only for a device that
     * {@linkplain Snapshot#slices slices}; elsewhere nobody can follow it.
     */
    public Builder share(int device, double share) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("a share is from 0 to 1, not %s".formatted(share));
      }
      shares.put(device, share);
      return this;
    }

    public Decision build() {
      if (ranking == null && !shares.isEmpty()) {
        throw new IllegalStateException("a share needs ranks; call rank, too");
      }
      if (ranking != null) {
        ranking.shares = Map.copyOf(shares);
        ranking.mayChange = ranksMayChange || wakeNanos != NEVER;
      }
      return Decision.this;
    }
  }
}
