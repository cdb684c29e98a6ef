package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import dev.xsched.policy.builtin.Claimants.Account;
import dev.xsched.policy.builtin.Claimants.Claimant;
import java.util.Arrays;

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

  /** A start may lack this part of a slice, lest rounding keeps a process from it. */
  private static final double START_ROUNDING = 0.001;

  /** A turn with less than this left is over; rounding must not cause tiny turns. */
  private static final double TURN_REST_NANOS = 1;

  private final Snapshot snapshot;
  private final Meters meters;
  private final Claimants claimants;
  private final Decision.Builder decision = Decision.builder();

  // By device.
  private final double[] roundNanos;
  private final int[] holders;
  private final int[] chosen;

  private Budgets(Snapshot snapshot) {
    this.snapshot = snapshot;
    meters = Meters.read(snapshot);
    claimants = new Claimants(snapshot, Claimants.Kind.PROCESS, UtilizationPartition::percent);
    roundNanos = new double[snapshot.devices()];
    holders = new int[snapshot.devices()];
    chosen = new int[snapshot.devices()];
  }

  static Decision decide(Snapshot snapshot) {
    Budgets budgets = new Budgets(snapshot);
    budgets.scale();
    budgets.update();
    budgets.choose();
    return budgets.answer();
  }

  private void scale() {
    double[] totals = new double[chosen.length];
    double timesliceNanos = snapshot.system().nanos(Hint.TIMESLICE);
    for (int c = claimants.first(); c != Claimants.NOBODY; c = claimants.after(c)) {
      double percent = claimants.weight(c);
      int device = snapshot.queues().get(c).device();
      totals[device] += percent;
      roundNanos[device] += percent > 0 ? timesliceNanos : 0;
    }
    for (int device = 0; device < totals.length; device++) {
      meters.scales[device] = 1 / Math.max(100, totals[device]);
    }
  }

  /** Finds the holders and those that could start, and writes down what changed. */
  private void update() {
    Arrays.fill(holders, Claimants.NOBODY);
    Arrays.fill(chosen, Claimants.NOBODY);
    long[] chosenIds = new long[chosen.length];
    double[] longestWait = new double[chosen.length];
    for (int c = claimants.first(); c != Claimants.NOBODY; c = claimants.after(c)) {
      Claimant process = claimants.get(c);
      int device = process.device();
      double budget = budgetNanos(process);
      if (process.id() == meters.holders[device]) {
        holders[device] = c;
      }
      if (process.ready() && canStart(process, budget)) {
        double wait = budget / process.weight();
        if (chosen[device] == Claimants.NOBODY
            || wait > longestWait[device]
            || (wait == longestWait[device] && process.id() < chosenIds[device])) {
          chosen[device] = c;
          chosenIds[device] = process.id();
          longestWait[device] = wait;
        }
      }
      // A budget that only grew need not be written down: the meter tells by how much.
      if (!process.charged() || process.ready() != wasReady(process)) {
        remember(c, budget, process.ready());
      }
    }
  }

  private void remember(int process, double budget, boolean ready) {
    for (int i = process; i != Claimants.NOBODY; i = claimants.next(i)) {
      QueueView queue = snapshot.queues().get(i);
      double meter = meters.handedOutNanos[queue.device()];
      long used = queue.usedNanos(snapshot.nowNanos());
      decision.remember(
          i, new Account(meter, budget, used, ready ? Account.READY : snapshot.nowNanos(), false));
    }
  }

  private static boolean wasReady(Claimant process) {
    Account account = process.account();
    return account != null && account.idleSinceNanos() == Account.READY;
  }

  private double budgetNanos(Claimant process) {
    Account account = process.account();
    double share = share(process);
    double round = roundNanos[process.device()];
    if (account == null) {
      return startNanos(share, round);
    }
    double handedOut = meters.handedOutNanos[process.device()] - account.timeNanos();
    double budget = account.budgetNanos() + (process.weight() * handedOut - process.spentNanos());
    return wasReady(process) ? budget : Math.min(budget, share * round);
  }

  private double share(Claimant process) {
    return process.weight() * meters.scales[process.device()];
  }

  /** Returns what it takes to start a turn of one share of a round. */
  private static double startNanos(double share, double roundNanos) {
    return share * (1 - share) * roundNanos;
  }

  private boolean canStart(Claimant process, double budget) {
    double share = share(process);
    double round = roundNanos[process.device()];
    return share > 0 && budget >= startNanos(share, round) - START_ROUNDING * share * round;
  }

  private void choose() {
    for (int device = 0; device < chosen.length; device++) {
      if (holders[device] != Claimants.NOBODY && isInTurn(claimants.get(holders[device]))) {
        chosen[device] = holders[device];
      }
    }
  }

  private boolean isInTurn(Claimant holder) {
    return holder.ready() && holder.weight() > 0 && budgetNanos(holder) > TURN_REST_NANOS;
  }

  private Decision answer() {
    boolean anyFree = false;
    for (int device = 0; device < chosen.length; device++) {
      meters.holders[device] = Claimants.NO_ID;
      if (chosen[device] == Claimants.NOBODY) {
        anyFree = true;
        continue;
      }
      Claimant process = claimants.get(chosen[device]);
      meters.holders[device] = process.id();
      run(chosen[device]);
      if (share(process) < 1) {
        wakeIn(budgetNanos(process) / (1 - share(process)));
      }
    }
    for (int c = claimants.first(); anyFree && c != Claimants.NOBODY; c = claimants.after(c)) {
      Claimant process = claimants.get(c);
      if (chosen[process.device()] == Claimants.NOBODY && process.weight() > 0) {
        double budget = budgetNanos(process);
        if (process.ready()) {
          double start = startNanos(share(process), roundNanos[process.device()]);
          wakeIn((start - budget) / share(process));
        } else if (canStart(process, budget)) {
          run(c);
        }
      }
    }
    return decision.remember(meters).build();
  }

  private void wakeIn(double nanos) {
    decision.wakeAt(Times.wakeUp(snapshot.nowNanos(), nanos));
  }

  private void run(int process) {
    for (int i = process; i != Claimants.NOBODY; i = claimants.next(i)) {
      if (snapshot.queues().get(i).hints().executes()) {
        decision.run(i);
      }
    }
  }
}
