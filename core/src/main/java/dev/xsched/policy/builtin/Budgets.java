package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Snapshot;
import dev.xsched.policy.builtin.Claimants.Account;
import dev.xsched.policy.builtin.Claimants.Claimant;
import java.util.Arrays;
import java.util.BitSet;

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

    /** Reads the meters now, for as many devices as there are now. */
    Meters(Snapshot snapshot) {
      int devices = snapshot.devices();
      atNanos = snapshot.nowNanos();
      Meters old = snapshot.memory() instanceof Meters meters ? meters : null;
      handedOutNanos =
          old == null ? new double[devices] : Arrays.copyOf(old.handedOutNanos, devices);
      scales = old == null ? new double[devices] : Arrays.copyOf(old.scales, devices);
      holders = old == null ? new long[devices] : Arrays.copyOf(old.holders, devices);
      for (int device = 0; device < devices; device++) {
        if (old == null || device >= old.holders.length) {
          holders[device] = Claimants.NO_ID;
        } else {
          handedOutNanos[device] += (atNanos - old.atNanos) * scales[device];
        }
      }
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

  private final BitSet changed = new BitSet();

  // By device. Chosen is who waited the longest of those that are ready; in the end, who runs.
  private final double[] roundNanos;
  private final int[] holders;
  private final int[] chosen;
  private final long[] chosenIds;
  private final double[] longestWaits;

  private Budgets(Snapshot snapshot) {
    this.snapshot = snapshot;
    meters = new Meters(snapshot);
    claimants = new Claimants(snapshot, Claimants.Kind.PROCESS, UtilizationPartition::percent);
    roundNanos = new double[snapshot.devices()];
    holders = new int[snapshot.devices()];
    chosen = new int[snapshot.devices()];
    chosenIds = new long[snapshot.devices()];
    longestWaits = new double[snapshot.devices()];
    Arrays.fill(holders, Claimants.NOBODY);
    Arrays.fill(chosen, Claimants.NOBODY);
  }

  static Decision decide(Snapshot snapshot) {
    Budgets budgets = new Budgets(snapshot);
    budgets.survey();
    budgets.update();
    budgets.choose();
    return budgets.answer();
  }

  /** Looks at all; who only waited needs no second look, unless a device is free. */
  private void survey() {
    double[] totals = new double[chosen.length];
    double timesliceNanos = snapshot.system().nanos(Hint.TIMESLICE);
    for (int c = claimants.first(); c != Claimants.NOBODY; c = claimants.after(c)) {
      Claimant process = claimants.get(c);
      int device = process.device();
      totals[device] += process.weight();
      roundNanos[device] += process.weight() > 0 ? timesliceNanos : 0;
      if (process.id() == meters.holders[device]) {
        holders[device] = c;
      }
      // A budget that only grew need not be written down: the meter tells by how much.
      if (!process.charged() || process.ready() != wasReady(process)) {
        changed.set(c);
      } else if (process.ready()) {
        contend(c, process, savedNanos(process));
      }
    }
    for (int device = 0; device < totals.length; device++) {
      meters.scales[device] = 1 / Math.max(100, totals[device]);
    }
  }

  private void update() {
    for (int c = changed.nextSetBit(0); c >= 0; c = changed.nextSetBit(c + 1)) {
      Claimant process = claimants.get(c);
      double budget = budgetNanos(process);
      double meter = meters.handedOutNanos[process.device()];
      long idleSince = process.ready() ? Account.READY : snapshot.nowNanos();
      if (process.ready()) {
        contend(c, process, budget);
      }
      for (int i = c; i != Claimants.NOBODY; i = claimants.next(i)) {
        long used = snapshot.queues().get(i).usedNanos(snapshot.nowNanos());
        decision.remember(i, new Account(meter, budget, used, idleSince, false));
      }
    }
  }

  private void contend(int c, Claimant process, double budget) {
    int device = process.device();
    double wait = budget / process.weight();
    if (process.weight() > 0
        && (chosen[device] == Claimants.NOBODY
            || wait > longestWaits[device]
            || (wait == longestWaits[device] && process.id() < chosenIds[device]))) {
      chosen[device] = c;
      chosenIds[device] = process.id();
      longestWaits[device] = wait;
    }
  }

  private static boolean wasReady(Claimant process) {
    Account account = process.account();
    return account != null && account.idleSinceNanos() == Account.READY;
  }

  /** Returns the budget of one that was ready, which has no limit. */
  private double savedNanos(Claimant process) {
    Account account = process.account();
    if (account == null) {
      return 0;
    }
    double handedOut = meters.handedOutNanos[process.device()] - account.timeNanos();
    return account.budgetNanos() + (process.weight() * handedOut - process.spentNanos());
  }

  private double budgetNanos(Claimant process) {
    double round = roundNanos[process.device()];
    if (process.account() == null) {
      return startNanos(share(process), round);
    }
    double saved = savedNanos(process);
    return wasReady(process) ? saved : Math.min(saved, share(process) * round);
  }

  private double share(Claimant process) {
    return process.weight() * meters.scales[process.device()];
  }

  /** Returns what it takes to start a turn of one share of a round. */
  private static double startNanos(double share, double roundNanos) {
    return share * (1 - share) * roundNanos;
  }

  private boolean canStart(Claimant process) {
    double share = share(process);
    double round = roundNanos[process.device()];
    double rounding = START_ROUNDING * share * round;
    return share > 0 && budgetNanos(process) >= startNanos(share, round) - rounding;
  }

  private void choose() {
    boolean[] mustSearch = new boolean[chosen.length];
    boolean search = false;
    for (int device = 0; device < chosen.length; device++) {
      int first = chosen[device];
      if (holders[device] != Claimants.NOBODY && isInTurn(claimants.get(holders[device]))) {
        chosen[device] = holders[device];
      } else if (first != Claimants.NOBODY && !canStart(claimants.get(first))) {
        chosen[device] = Claimants.NOBODY;
        mustSearch[device] = true;
        search = true;
      }
    }
    for (int c = claimants.first(); search && c != Claimants.NOBODY; c = claimants.after(c)) {
      Claimant process = claimants.get(c);
      if (mustSearch[process.device()] && process.ready() && canStart(process)) {
        contend(c, process, budgetNanos(process));
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
        if (process.ready()) {
          double start = startNanos(share(process), roundNanos[process.device()]);
          wakeIn((start - budgetNanos(process)) / share(process));
        } else if (canStart(process)) {
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
