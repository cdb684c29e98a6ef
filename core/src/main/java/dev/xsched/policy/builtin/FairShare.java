package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import dev.xsched.policy.builtin.Claimants.Account;
import dev.xsched.policy.builtin.Claimants.Claimant;
import java.util.BitSet;
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
 * <p><b>Cost.</b> One pass over the queues, then a look at those that ran or that turned ready or
 * idle; only for them does change what is remembered. The timer is used only under contention.
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

  /**
   * What is remembered of each lane: its floor, whose turn it is and at which clock time the turn
   * began. When it ends depends on who is ready by then: a turn that began alone is cut to size.
   */
  private record Turn(double floor, long holderId, double start) {}

  /** What becomes of a lane at this decision. */
  private static final class Lane {
    double floor;
    long holderId;
    double start;

    int holder = Claimants.NOBODY;
    int contenders;
    double totalWeight;
    double heaviest;
    double lowestClock = Double.POSITIVE_INFINITY;
    double setBack;

    // Who goes first of those that are ready, but for the holder; in the end, who runs.
    int first = Claimants.NOBODY;
    long firstId;
    double firstClock;

    Lane(Turn turn) {
      floor = turn.floor();
      holderId = turn.holderId();
      start = turn.start();
    }

    void contend(int claimant, long id, double clock) {
      if (id != holderId
          && (first == Claimants.NOBODY
              || clock < firstClock
              || (clock == firstClock && id < firstId))) {
        choose(claimant, id, clock);
      }
    }

    void choose(int claimant, long id, double clock) {
      first = claimant;
      firstId = id;
      firstClock = clock;
    }
  }

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
  private final Claimants claimants;
  private final Lane[] lanes;
  private final BitSet changed = new BitSet();
  private final Decision.Builder decision = Decision.builder();

  private FairShare(Snapshot snapshot, Rules rules) {
    this.snapshot = snapshot;
    this.rules = rules;
    timesliceNanos = snapshot.system().nanos(Hint.TIMESLICE);
    claimants = new Claimants(snapshot, rules.claimants(), rules.weight());
    Turn[] turns = snapshot.memory() instanceof Turn[] old ? old : new Turn[0];
    lanes = new Lane[2 * snapshot.devices()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new Lane(i < turns.length ? turns[i] : new Turn(0, Claimants.NO_ID, 0));
    }
  }

  static Decision decide(Snapshot snapshot, Rules rules) {
    FairShare share = new FairShare(snapshot, rules);
    share.survey();
    share.raiseFloors();
    share.update();
    share.choose();
    return share.answer();
  }

  /** Looks at all; who only waited needs no second look. */
  private void survey() {
    for (int c = claimants.first(); c != Claimants.NOBODY; c = claimants.after(c)) {
      Claimant claimant = claimants.get(c);
      Lane lane = lane(claimant);
      double clock = chargedClock(claimant);
      boolean wasReady = idleSinceNanos(claimant) == Account.READY;
      if (claimant.id() == lane.holderId) {
        lane.holder = c;
      }
      if (wasReady && clock < lane.lowestClock) {
        lane.lowestClock = clock;
      }
      if (claimant.ready()) {
        lane.contenders++;
        lane.totalWeight += weight(claimant);
        lane.heaviest = weight(claimant) > lane.heaviest ? weight(claimant) : lane.heaviest;
      }
      if (!claimant.charged() || claimant.ready() != wasReady || clock == NEWCOMER) {
        changed.set(c);
      } else if (wasReady) {
        lane.contend(c, claimant.id(), clock);
      }
    }
  }

  private void raiseFloors() {
    for (Lane lane : lanes) {
      if (lane.lowestClock < Double.POSITIVE_INFINITY) {
        lane.floor = Math.max(lane.floor, lane.lowestClock);
      }
      if (lane.floor * lane.heaviest > SLICES_BEFORE_SET_BACK * timesliceNanos) {
        lane.setBack = lane.floor;
        lane.start -= lane.setBack;
        lane.floor = 0;
        lane.first = Claimants.NOBODY;
        for (int c = claimants.first(); c != Claimants.NOBODY; c = claimants.after(c)) {
          changed.set(c);
        }
      }
    }
  }

  private void update() {
    for (int c = changed.nextSetBit(0); c >= 0; c = changed.nextSetBit(c + 1)) {
      Claimant claimant = claimants.get(c);
      double clock = clock(claimant);
      long idleSince = Account.READY;
      if (claimant.ready()) {
        lane(claimant).contend(c, claimant.id(), clock);
      } else {
        idleSince = Math.min(idleSinceNanos(claimant), snapshot.nowNanos());
      }
      for (int i = c; i != Claimants.NOBODY; i = claimants.next(i)) {
        long used = snapshot.queues().get(i).usedNanos(snapshot.nowNanos());
        decision.remember(i, new Account(clock, 0, used, idleSince, isBackground(claimant)));
      }
    }
  }

  private void choose() {
    for (Lane lane : lanes) {
      boolean goesOn = false;
      if (lane.holder != Claimants.NOBODY) {
        Claimant holder = claimants.get(lane.holder);
        double clock = clock(holder);
        goesOn = holder.ready() && turnRest(holder, clock) >= TURN_REST_NANOS;
        // If another one is just as far behind, it is next: the holder had its turn.
        boolean isFirst = lane.first == Claimants.NOBODY || clock < lane.firstClock;
        if (goesOn || (holder.ready() && isFirst)) {
          lane.choose(lane.holder, holder.id(), clock);
        }
      }
      if (lane.first != Claimants.NOBODY && !goesOn) {
        lane.holderId = lane.firstId;
        // Who is behind the floor carried something over, which comes on top of its slice.
        lane.start = Math.max(lane.firstClock, lane.floor);
      }
    }
  }

  private Decision answer() {
    boolean[] free = new boolean[snapshot.devices()];
    boolean anyFree = false;
    for (int device = 0; device < free.length; device++) {
      Lane lane = lanes[2 * device].contenders > 0 ? lanes[2 * device] : lanes[2 * device + 1];
      free[device] = lane.contenders == 0;
      anyFree |= free[device];
      for (int i = lane.first; i != Claimants.NOBODY; i = claimants.next(i)) {
        runIfAllowed(i);
      }
      if (lane.contenders > 1) {
        double restNanos = turnRest(claimants.get(lane.first), lane.firstClock);
        decision.wakeAt(Times.wakeUp(snapshot.nowNanos(), restNanos));
      }
    }
    for (int i = 0; anyFree && i < snapshot.queues().size(); i++) {
      if (free[snapshot.queues().get(i).device()]) {
        runIfAllowed(i);
      }
    }
    Turn[] turns = new Turn[lanes.length];
    for (int i = 0; i < turns.length; i++) {
      turns[i] = new Turn(lanes[i].floor, lanes[i].holderId, lanes[i].start);
    }
    return decision.remember(turns).build();
  }

  private void runIfAllowed(int index) {
    if (snapshot.queues().get(index).hints().executes()) {
      decision.run(index);
    }
  }

  private static boolean isBackground(Claimant claimant) {
    return claimant.weight() == 0;
  }

  private static double weight(Claimant claimant) {
    return isBackground(claimant) ? 1 : claimant.weight();
  }

  private Lane lane(Claimant claimant) {
    return lanes[2 * claimant.device() + (isBackground(claimant) ? 1 : 0)];
  }

  /** Returns the account in this lane: the other lane's clock means nothing here. */
  private static @Nullable Account account(Claimant claimant) {
    Account account = claimant.account();
    return account != null && account.background() == isBackground(claimant) ? account : null;
  }

  private long idleSinceNanos(Claimant claimant) {
    Account account = account(claimant);
    return account == null ? snapshot.nowNanos() : account.idleSinceNanos();
  }

  private static double chargedClock(Claimant claimant) {
    Account account = account(claimant);
    if (account == null) {
      return NEWCOMER;
    }
    long spent = claimant.spentNanos();
    return spent == 0 ? account.timeNanos() : account.timeNanos() + spent / weight(claimant);
  }

  /** Returns its clock once the floor is known. */
  private double clock(Claimant claimant) {
    Lane lane = lane(claimant);
    double clock = chargedClock(claimant) - lane.setBack;
    if (clock == NEWCOMER) {
      return lane.floor;
    }
    long idleSince = idleSinceNanos(claimant);
    double unused = lane.floor - clock;
    if (!claimant.ready() || idleSince == Account.READY || unused <= 0) {
      return clock;
    }
    double rounds = (snapshot.nowNanos() - idleSince) / (timesliceNanos * lane.contenders);
    return lane.floor - rules.carryOver().carried(unused, slice(claimant), rounds);
  }

  private double slice(Claimant claimant) {
    Lane lane = lane(claimant);
    return rules
        .slicing()
        .slice(timesliceNanos, lane.contenders, lane.totalWeight, weight(claimant));
  }

  /** Returns how much of its turn is left, in nanoseconds of the device. */
  private double turnRest(Claimant holder, double clock) {
    return (lane(holder).start + slice(holder) - clock) * weight(holder);
  }
}
