package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Fair sharing by weight: what UP, PUP and CFS have in common.
 *
 * <p><b>Virtual time.</b> Every claimant has a clock that advances by the time it used, divided by
 * its weight. Whoever is furthest behind runs next, alone on its device, for one slice. So all
 * clocks advance together, which is to say that time is shared by weight. Nothing is lost or won by
 * a preemption that comes late: what a claimant used beyond its slice is on its clock, and the
 * others catch up first. This is weighted fair queueing (Demers, Keshav and Shenker, 1989), stride
 * scheduling (Waldspurger, 1995) and Linux's CFS. With slices in proportion to the weights, every
 * slice advances a clock by the same amount, and the order is round-robin.
 *
 * <p><b>Newcomers and sleepers.</b> The floor of a device is the clock furthest behind among those
 * that were ready; it never goes back. Whoever turns ready is set to the floor if it is behind it.
 * Without that, a new queue with its clock at zero would own the device until it had caught up with
 * the age of the machine (XSched PR 25), and so would a queue that slept.
 *
 * <p><b>Two lanes per device.</b> Claimants of weight zero share equally among themselves what is
 * left when nobody else on the device is ready. They have a floor and a holder of their own.
 *
 * <p><b>Idle queues.</b> While somebody holds the device, the gates of all others are closed: being
 * ready leads to a new decision anyway. When nobody is ready, all gates are open.
 *
 * <p><b>Cost.</b> One pass over the queues, then a few over plain arrays. What is remembered
 * changes only for those that ran or that turned ready or idle. The timer is used only under
 * contention.
 *
 * <p>An object of this class makes one decision.
 */
final class FairShare {
  /** How long a turn lasts, in virtual nanoseconds. */
  @FunctionalInterface
  interface Slicing {
    double slice(double timesliceNanos, int contenders, double totalWeight, double weight);
  }

  /** How much of its unused slice a claimant gets when it turns ready, in virtual nanoseconds. */
  @FunctionalInterface
  interface CarryOver {
    double carried(double unused, double slice, double roundsAsleep);
  }

  /** What makes one policy of this family differ from another. */
  record Rules(
      Claimants.Kind claimants,
      ToDoubleFunction<QueueView> weight,
      Slicing slicing,
      CarryOver carryOver) {}

  /** What is remembered at each queue. All but the charged time is the same within a claimant. */
  private record Account(
      double clockNanos, long chargedNanos, long idleSinceNanos, boolean background) {}

  /**
   * What is remembered of each lane: its floor, whose turn it is and at which clock time the turn
   * began. When it ends depends on who is ready by then: a turn that began alone is cut to size.
   */
  private static final class Turns {
    final double[] floors;
    final long[] holders;
    final double[] starts;

    Turns(@Nullable Object memory, int lanes) {
      Turns old = memory instanceof Turns turns ? turns : null;
      int known = old == null ? 0 : Math.min(lanes, old.floors.length);
      floors = old == null ? new double[lanes] : Arrays.copyOf(old.floors, lanes);
      holders = old == null ? new long[lanes] : Arrays.copyOf(old.holders, lanes);
      starts = old == null ? new double[lanes] : Arrays.copyOf(old.starts, lanes);
      Arrays.fill(holders, known, lanes, Claimants.NO_ID);
    }
  }

  /** Stands in for the time since when a claimant is idle, while it is ready. */
  private static final long READY = Long.MAX_VALUE;

  /** The clock of one that has none yet. */
  private static final double NEWCOMER = Double.NEGATIVE_INFINITY;

  /** A turn with less than this left is over; rounding must not cause tiny turns. */
  private static final double TURN_REST_NANOS = 100;

  /**
   * Clocks are set back when the floor is so many slices of the heaviest contender. Beyond that, a
   * double could not tell one of its nanoseconds from the next, and its clock would stand still.
   * Between equals, this happens every two months of use at the default time slice.
   */
  private static final double SLICES_BEFORE_SET_BACK = 0x1p30;

  private final Snapshot snapshot;
  private final Rules rules;
  private final double timesliceNanos;
  private final Turns turns;
  private final Claimants claimants;

  // By claimant.
  private final double[] weights;
  private final double[] clocks;
  private final long[] idleSinceNanos;
  private final boolean[] wasBackground;
  private final boolean[] changed;
  private final int[] lanes;

  // By lane.
  private final int[] contenders;
  private final double[] totalWeights;
  private final double[] heaviest;
  private final double[] setBacks;
  private final int[] holders;
  private final int[] chosen;

  private FairShare(Snapshot snapshot, Rules rules) {
    this.snapshot = snapshot;
    this.rules = rules;
    timesliceNanos = snapshot.system().nanos(Hint.TIMESLICE);
    claimants = new Claimants(snapshot, rules.claimants());
    int queues = snapshot.queues().size();
    weights = new double[queues];
    clocks = new double[queues];
    idleSinceNanos = new long[queues];
    wasBackground = new boolean[queues];
    changed = new boolean[queues];
    lanes = new int[queues];
    int laneCount = 2 * snapshot.devices();
    turns = new Turns(snapshot.memory(), laneCount);
    contenders = new int[laneCount];
    totalWeights = new double[laneCount];
    heaviest = new double[laneCount];
    setBacks = new double[laneCount];
    holders = new int[laneCount];
    chosen = new int[laneCount];
  }

  static Decision decide(Snapshot snapshot, Rules rules) {
    FairShare share = new FairShare(snapshot, rules);
    share.gather();
    share.charge();
    share.choose();
    return share.answer();
  }

  private void gather() {
    List<QueueView> queues = snapshot.queues();
    Arrays.fill(clocks, NEWCOMER);
    Arrays.fill(holders, Claimants.NOBODY);
    for (int i = 0; i < clocks.length; i++) {
      QueueView queue = queues.get(i);
      int c = claimants.add(i, queue);
      double weight = rules.weight().applyAsDouble(queue);
      if (weight > weights[c]) {
        weights[c] = weight;
      }
      if (queue.memory() instanceof Account account) {
        claimants.charged(i, queue, account.chargedNanos());
        if (account.clockNanos() >= clocks[c]) {
          clocks[c] = account.clockNanos();
          idleSinceNanos[c] = account.idleSinceNanos();
          wasBackground[c] = account.background();
        }
      }
    }
  }

  private void charge() {
    double[] lowest = new double[contenders.length];
    Arrays.fill(lowest, Double.POSITIVE_INFINITY);
    for (int c = 0; c < claimants.count(); c++) {
      boolean background = weights[c] == 0;
      double weight = background ? 1 : weights[c];
      int lane = 2 * claimants.device(c) + (background ? 1 : 0);
      weights[c] = weight;
      lanes[c] = lane;
      if (claimants.id(c) == turns.holders[lane]) {
        holders[lane] = c;
      }
      if (wasBackground[c] != background) {
        clocks[c] = NEWCOMER; // the other lane's clock means nothing here
      }
      if (clocks[c] == NEWCOMER) {
        changed[c] = true;
        idleSinceNanos[c] = snapshot.nowNanos();
      } else {
        if (claimants.spentNanos(c) != 0) {
          changed[c] = true;
          clocks[c] += claimants.spentNanos(c) / weight;
        }
        if (idleSinceNanos[c] == READY && clocks[c] < lowest[lane]) {
          lowest[lane] = clocks[c];
        }
      }
      if (claimants.ready(c)) {
        contenders[lane]++;
        totalWeights[lane] += weight;
        if (weight > heaviest[lane]) {
          heaviest[lane] = weight;
        }
      }
    }
    for (int lane = 0; lane < lowest.length; lane++) {
      if (lowest[lane] < Double.POSITIVE_INFINITY) {
        turns.floors[lane] = Math.max(turns.floors[lane], lowest[lane]);
      }
      if (turns.floors[lane] * heaviest[lane] > SLICES_BEFORE_SET_BACK * timesliceNanos) {
        setBacks[lane] = turns.floors[lane];
        turns.starts[lane] -= setBacks[lane];
        turns.floors[lane] = 0;
      }
    }
  }

  private void choose() {
    Arrays.fill(chosen, Claimants.NOBODY);
    for (int c = 0; c < claimants.count(); c++) {
      int lane = lanes[c];
      clocks[c] -= setBacks[lane];
      boolean ready = claimants.ready(c);
      boolean wasReady = idleSinceNanos[c] == READY;
      changed[c] |= setBacks[lane] != 0 || ready != wasReady;
      if (clocks[c] == NEWCOMER) {
        clocks[c] = turns.floors[lane];
      } else if (ready && !wasReady) {
        clocks[c] = clockOnWaking(c);
      }
      if (ready && c != holders[lane]) {
        if (chosen[lane] == Claimants.NOBODY || goesBefore(c, chosen[lane])) {
          chosen[lane] = c;
        }
      }
    }
    for (int lane = 0; lane < chosen.length; lane++) {
      int holder = holders[lane];
      boolean contends = holder != Claimants.NOBODY && claimants.ready(holder);
      boolean goesOn = contends && isInTurn(holder);
      if (goesOn || (contends && isFurthestBehind(holder))) {
        chosen[lane] = holder;
      }
      int c = chosen[lane];
      if (c != Claimants.NOBODY && !goesOn) {
        turns.holders[lane] = claimants.id(c);
        // Who is behind the floor carried something over, which comes on top of its slice.
        turns.starts[lane] = Math.max(clocks[c], turns.floors[lane]);
      }
    }
  }

  private double clockOnWaking(int c) {
    double floor = turns.floors[lanes[c]];
    double unused = floor - clocks[c];
    if (unused <= 0) {
      return clocks[c];
    }
    long asleepNanos = snapshot.nowNanos() - idleSinceNanos[c];
    double rounds = asleepNanos / (timesliceNanos * contenders[lanes[c]]);
    return floor - rules.carryOver().carried(unused, slice(c), rounds);
  }

  private double slice(int c) {
    int lane = lanes[c];
    return rules.slicing().slice(timesliceNanos, contenders[lane], totalWeights[lane], weights[c]);
  }

  private boolean goesBefore(int a, int b) {
    return clocks[a] != clocks[b] ? clocks[a] < clocks[b] : claimants.id(a) < claimants.id(b);
  }

  private boolean isInTurn(int holder) {
    double left = turns.starts[lanes[holder]] + slice(holder) - clocks[holder];
    return left * weights[holder] >= TURN_REST_NANOS;
  }

  /** Not if another one is just as far behind: the holder had its turn. */
  private boolean isFurthestBehind(int holder) {
    int other = chosen[lanes[holder]];
    return other == Claimants.NOBODY || clocks[holder] < clocks[other];
  }

  private Decision answer() {
    Decision.Builder decision = Decision.builder().remember(turns);
    long now = snapshot.nowNanos();
    int[] runs = new int[snapshot.devices()];
    for (int device = 0; device < runs.length; device++) {
      int lane = contenders[2 * device] > 0 ? 2 * device : 2 * device + 1;
      int c = chosen[lane];
      runs[device] = c;
      if (contenders[lane] > 1) {
        decision.wakeAt(
            Times.wakeUp(now, (turns.starts[lane] + slice(c) - clocks[c]) * weights[c]));
      }
    }
    List<QueueView> queues = snapshot.queues();
    for (int i = 0; i < clocks.length; i++) {
      int c = claimants.of(i);
      int holder = runs[claimants.device(c)];
      if (claimants.executes(i) && (holder == c || holder == Claimants.NOBODY)) {
        decision.run(i);
      }
      if (changed[c] || !claimants.isCurrent(i)) {
        decision.remember(snapshot, i, account(c, queues.get(i).usedNanos(now)));
      }
    }
    return decision.build();
  }

  private Account account(int c, long usedNanos) {
    long idleSince = READY;
    if (!claimants.ready(c)) {
      boolean wasReady = idleSinceNanos[c] == READY;
      idleSince = wasReady ? snapshot.nowNanos() : idleSinceNanos[c];
    }
    return new Account(clocks[c], usedNanos, idleSince, lanes[c] % 2 == 1);
  }
}
