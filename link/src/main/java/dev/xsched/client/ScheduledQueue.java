package dev.xsched.client;

import dev.xsched.link.Board;
import dev.xsched.link.Registration;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import org.jspecify.annotations.Nullable;

/**
 * A queue and its slot: tells the daemon what happens to the one by the other, and carries out what
 * the daemon writes there.
 *
 * <p>Facts are told by whoever causes them, under {@code facts}. Orders are carried out by the
 * watcher, under {@code orders}, which is taken first. The queue's own lock comes last.
 */
final class ScheduledQueue {
  private final XQueue queue;
  private final Slot slot;
  private final Program program;
  private final SlotGate gate;
  private final Orders orders;

  private final Object facts = new Object();
  private long toldRunnableSince = XQueue.NOT_RUNNABLE;
  private long toldBusyNanos;
  private long waitsSinceNanos;

  /** A held launch is being tried again: until that is known, it waits as before. */
  private boolean rechecks;

  ScheduledQueue(XQueue queue, Slot slot, Program program, SlotGate gate, @Nullable Level level) {
    this.queue = queue;
    this.slot = slot;
    this.program = program;
    this.gate = gate;
    this.orders = new Orders(queue, slot, level);
    queue.setLaunchGate(gate);
    queue.onRunnableChange(this::runnableChanged);
  }

  Slot slot() {
    return slot;
  }

  /** Asks the daemon for something; the value was checked. */
  void ask(Hint hint, long value) {
    synchronized (facts) {
      slot.asks().ask(hint, value);
    }
    program.tell(slot.index());
  }

  /** Tells that the queue turned ready or idle, if it did. */
  private void runnableChanged() {
    synchronized (facts) {
      long since = queue.runnableSinceNanos();
      if (since == toldRunnableSince) {
        return;
      }
      toldRunnableSince = since;
      tellCounts();
      boolean ready = since != XQueue.NOT_RUNNABLE;
      slot.setReadySince(ready ? since : 0);
      if (ready) {
        raiseCeiling();
      }
      account(System.nanoTime());
      program.tell(slot.index());
    }
  }

  /** Lower ranks stop at their next launch; also at the same rank, as the header says why. */
  private void raiseCeiling() {
    Registration daemon = program.connection().obeyed();
    int ceiling = slot.ceiling();
    if (daemon != null && ceiling >= 0 && ceiling < Board.CEILINGS) {
      daemon.board().raise(ceiling, slot.rank());
    }
  }

  /** Whether it has work, so that its counts change. */
  boolean isReady() {
    return queue.runnableSinceNanos() != XQueue.NOT_RUNNABLE;
  }

  /** Whether a launch is held back by a ceiling alone, of whose end nobody tells. */
  boolean waitsForCeiling() {
    return gate.isHeld() && slot.gateOpen() && !orders.ended();
  }

  /** Brings the numbers up to date that are not worth a word to the daemon each time. */
  void tellCounts() {
    synchronized (facts) {
      XQueue.Stats stats = queue.stats();
      slot.setCounts(
          stats.submitted(),
          stats.launched(),
          stats.launched() - stats.inFlight(),
          (long) stats.commandNanos());
      slot.addBusy(stats.busyNanos() - toldBusyNanos);
      toldBusyNanos = stats.busyNanos();
    }
  }

  /**
   * Closes the gate if the daemon closed it. Before {@link #goOn} of any queue: stops are urgent.
   */
  void stop(boolean obey) {
    if (orders.stop(obey) && queue.stats().inFlight() == 0) {
      slot.setStopped(System.nanoTime());
    }
  }

  /** Opens the gate unless it must stay closed, and launches what was held back. */
  void goOn(boolean obey) {
    if (orders.ended()) {
      return; // The slot may be another queue's by now.
    }
    boolean recheck;
    synchronized (facts) {
      long heldSince = gate.takeHeld();
      recheck = heldSince != 0;
      rechecks = recheck;
      waitsSinceNanos = recheck && waitsSinceNanos == 0 ? heldSince : waitsSinceNanos;
    }
    orders.goOn(obey, recheck);
    synchronized (facts) {
      rechecks = false;
      account(System.nanoTime());
    }
  }

  /** Counts the time for which the queue had work and was held back. Called under facts. */
  private void account(long now) {
    boolean waits = isReady() && (rechecks || !orders.run() || gate.isHeld());
    if (waits && waitsSinceNanos == 0) {
      waitsSinceNanos = now;
    } else if (!waits && waitsSinceNanos != 0) {
      slot.addGateWait(now - waitsSinceNanos);
      waitsSinceNanos = 0;
    }
  }

  /** Obeys no more, closes the queue and gives the slot back. */
  void close() {
    orders.end();
    queue.close();
    slot.free();
    program.tell(slot.index());
  }
}
