package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.Arrays;
import java.util.List;

/**
 * The arithmetic of SPUP: a budget of time for every process on every device.
 *
 * <p><b>Income.</b> A budget grows by the process's share of the time that passes, whether it runs
 * or not, and shrinks by the time it uses. To touch only the budgets of those that ran, each device
 * has a meter of what it has handed out so far per percent of utilization; a budget remembers where
 * the meter stood when it was last settled. The meter takes care of shares that were scaled
 * differently in the meantime.
 *
 * <p><b>Turns.</b> A process that runs goes on until its budget is used up or it goes idle. Next is
 * the one whose budget is the largest relative to its share, that is, who waited the longest, if it
 * has saved enough to start. With share s and a round of n time slices, a start takes {@code s (1 -
 * s)} rounds: income goes on during the turn, so this lasts for {@code s} rounds. If the shares add
 * up to one, and all are ready, the budgets add up to what all starts take together; so one of
 * those that do not run can always start, and the device never idles. A turn that lasted too long
 * leaves a debt, and the others have saved meanwhile: the shares hold in the long run.
 *
 * <p><b>Limits.</b> Who is ready saves without limit, since others owe it that time. Who is idle
 * has at most one round's share, so nobody hoards.
 *
 * <p>An object of this class makes one decision.
 */
final class Budgets {
  /** What is remembered at each queue. All but the charged time is the same within a process. */
  private record Account(
      double budgetNanos, double settledNanos, long chargedNanos, boolean ready) {}

  /** What is remembered of each device. */
  private static final class Meters {
    final double[] handedOutNanos;
    final double[] scales;
    final long[] holders;
    final long atNanos;

    Meters(double[] handedOutNanos, double[] scales, long[] holders, long atNanos) {
      this.handedOutNanos = handedOutNanos;
      this.scales = scales;
      this.holders = holders;
      this.atNanos = atNanos;
    }

    /** Returns meters that were read now, as a copy for so many devices. */
    static Meters read(Snapshot snapshot) {
      int devices = snapshot.devices();
      if (!(snapshot.memory() instanceof Meters old)) {
        long[] holders = new long[devices];
        Arrays.fill(holders, Claimants.NO_ID);
        return new Meters(new double[devices], new double[devices], holders, snapshot.nowNanos());
      }
      double[] handedOut = Arrays.copyOf(old.handedOutNanos, devices);
      double[] scales = Arrays.copyOf(old.scales, devices);
      long[] holders = Arrays.copyOf(old.holders, devices);
      if (devices > old.holders.length) {
        Arrays.fill(holders, old.holders.length, devices, Claimants.NO_ID);
      }
      for (int device = 0; device < devices; device++) {
        handedOut[device] += (snapshot.nowNanos() - old.atNanos) * scales[device];
      }
      return new Meters(handedOut, scales, holders, snapshot.nowNanos());
    }
  }

  /** Where the meter stood for one that has no budget yet. */
  private static final double NEVER_SETTLED = Double.NEGATIVE_INFINITY;

  /** A start may lack this part of a slice, lest rounding keeps a process from it. */
  private static final double START_ROUNDING = 0.001;

  /** A turn with less than this left is over; rounding must not cause tiny turns. */
  private static final double TURN_REST_NANOS = 1;

  private final Snapshot snapshot;
  private final Meters meters;
  private final Claimants claimants;

  // By claimant.
  private final double[] percents;
  private final double[] budgets;
  private final double[] settledNanos;
  private final boolean[] wasReady;

  // By device.
  private final double[] roundNanos;
  private final int[] holders;
  private final int[] chosen;

  private Budgets(Snapshot snapshot) {
    this.snapshot = snapshot;
    meters = Meters.read(snapshot);
    claimants = new Claimants(snapshot, Claimants.Kind.PROCESS);
    int queues = snapshot.queues().size();
    percents = new double[queues];
    budgets = new double[queues];
    settledNanos = new double[queues];
    wasReady = new boolean[queues];
    roundNanos = new double[snapshot.devices()];
    holders = new int[snapshot.devices()];
    chosen = new int[snapshot.devices()];
  }

  static Decision decide(Snapshot snapshot) {
    Budgets budgets = new Budgets(snapshot);
    budgets.gather();
    budgets.settle();
    budgets.choose();
    return budgets.answer();
  }

  private void gather() {
    List<QueueView> queues = snapshot.queues();
    Arrays.fill(settledNanos, NEVER_SETTLED);
    Arrays.fill(holders, Claimants.NOBODY);
    for (int i = 0; i < budgets.length; i++) {
      QueueView queue = queues.get(i);
      int c = claimants.add(i, queue);
      double percent = UtilizationPartition.percent(queue);
      if (percent > percents[c]) {
        percents[c] = percent;
      }
      if (claimants.id(c) == meters.holders[queue.device()]) {
        holders[queue.device()] = c;
      }
      if (queue.memory() instanceof Account account) {
        claimants.charged(i, queue, account.chargedNanos());
        if (account.settledNanos() >= settledNanos[c]) {
          settledNanos[c] = account.settledNanos();
          budgets[c] = account.budgetNanos();
          wasReady[c] = account.ready();
        }
      }
    }
  }

  private void settle() {
    double[] totals = new double[chosen.length];
    double timesliceNanos = snapshot.system().nanos(Hint.TIMESLICE);
    for (int c = 0; c < claimants.count(); c++) {
      int device = claimants.device(c);
      totals[device] += percents[c];
      roundNanos[device] += percents[c] > 0 ? timesliceNanos : 0;
    }
    for (int device = 0; device < totals.length; device++) {
      meters.scales[device] = 1 / Math.max(100, totals[device]);
    }
    for (int c = 0; c < claimants.count(); c++) {
      int device = claimants.device(c);
      if (settledNanos[c] == NEVER_SETTLED) {
        budgets[c] = startNanos(c);
      } else {
        double handedOut = meters.handedOutNanos[device] - settledNanos[c];
        budgets[c] += percents[c] * handedOut - claimants.spentNanos(c);
        if (!wasReady[c]) {
          budgets[c] = Math.min(budgets[c], share(c) * roundNanos[device]);
        }
      }
    }
  }

  private double share(int c) {
    return percents[c] * meters.scales[claimants.device(c)];
  }

  /** Returns what it takes to start a turn of one share of a round. */
  private double startNanos(int c) {
    double share = share(c);
    return share * (1 - share) * roundNanos[claimants.device(c)];
  }

  private boolean canStart(int c) {
    double rounding = START_ROUNDING * share(c) * roundNanos[claimants.device(c)];
    return percents[c] > 0 && budgets[c] >= startNanos(c) - rounding;
  }

  private void choose() {
    Arrays.fill(chosen, Claimants.NOBODY);
    double[] longestWait = new double[chosen.length];
    for (int c = 0; c < claimants.count(); c++) {
      if (!claimants.ready(c) || !canStart(c)) {
        continue;
      }
      int device = claimants.device(c);
      double wait = budgets[c] / percents[c];
      int best = chosen[device];
      if (best == Claimants.NOBODY
          || wait > longestWait[device]
          || (wait == longestWait[device] && claimants.id(c) < claimants.id(best))) {
        chosen[device] = c;
        longestWait[device] = wait;
      }
    }
    for (int device = 0; device < chosen.length; device++) {
      int holder = holders[device];
      if (holder != Claimants.NOBODY && isInTurn(holder)) {
        chosen[device] = holder;
      }
      int c = chosen[device];
      meters.holders[device] = c == Claimants.NOBODY ? Claimants.NO_ID : claimants.id(c);
    }
  }

  private boolean isInTurn(int holder) {
    return claimants.ready(holder) && percents[holder] > 0 && budgets[holder] > TURN_REST_NANOS;
  }

  private Decision answer() {
    Decision.Builder decision = Decision.builder().remember(meters);
    long now = snapshot.nowNanos();
    for (int c = 0; c < claimants.count(); c++) {
      int runs = chosen[claimants.device(c)];
      if (runs == c && share(c) < 1) {
        decision.wakeAt(Times.wakeUp(now, budgets[c] / (1 - share(c))));
      } else if (runs == Claimants.NOBODY && claimants.ready(c) && percents[c] > 0) {
        decision.wakeAt(Times.wakeUp(now, (startNanos(c) - budgets[c]) / share(c)));
      }
    }
    for (int i = 0; i < snapshot.queues().size(); i++) {
      int c = claimants.of(i);
      int device = claimants.device(c);
      boolean ready = claimants.ready(c);
      boolean deviceIsFree = chosen[device] == Claimants.NOBODY;
      if (claimants.executes(i) && (deviceIsFree ? !ready && canStart(c) : chosen[device] == c)) {
        decision.run(i);
      }
      // A budget that only grew need not be written down: the meter tells by how much.
      if (!claimants.isCurrent(i) || claimants.spentNanos(c) != 0 || ready != wasReady[c]) {
        long usedNanos = snapshot.queues().get(i).usedNanos(now);
        double settled = meters.handedOutNanos[device];
        decision.remember(snapshot, i, new Account(budgets[c], settled, usedNanos, ready));
      }
    }
    return decision.build();
  }
}
