package dev.xsched.client;

import dev.xsched.link.Slot;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the daemon ordered for one queue, and how much of it has been carried out. */
final class Orders {
  private final XQueue queue;
  private final Slot slot;
  private final Level ownLevel;
  private volatile boolean run = true;
  private volatile boolean ended;

  // Guarded by this.
  private int level;
  private long windowNanos;
  private int windowCommands;
  private int windowBatch;

  /**
   * Makes the orders of a queue that has none yet.
   *
   * @param ownLevel the level while none is ordered; null for the best
   */
  Orders(XQueue queue, Slot slot, @Nullable Level ownLevel) {
    this.queue = queue;
    this.slot = slot;
    this.ownLevel = ownLevel == null ? Level.INTERRUPT : ownLevel;
    if (ownLevel != null) {
      queue.setLevel(ownLevel);
    }
  }

  /** Whether the queue may run, as far as that was carried out. */
  boolean run() {
    return run;
  }

  /** Whether the queue is about to close, or has closed. */
  boolean ended() {
    return ended;
  }

  /** Stops the queue if that is ordered; true if it was running. */
  synchronized boolean stop(boolean obey) {
    if (ended || !run || !obey || slot.gateOpen()) {
      return false;
    }
    carryOutLevel();
    run = false;
    queue.order(false);
    return true;
  }

  /**
   * Lets the queue run if that is ordered, and has it look at its launch gate again if asked to.
   */
  synchronized void goOn(boolean obey, boolean recheck) {
    if (ended) {
      return;
    }
    if (obey) {
      carryOutLevel();
      carryOutWindow();
    }
    if (!run && (!obey || slot.gateOpen())) {
      run = true;
      queue.order(true);
    }
    if (recheck) {
      queue.recheck();
    }
  }

  /** From now on nothing is carried out: an order for a queue about to close would hang it. */
  synchronized void end() {
    ended = true;
  }

  private void carryOutLevel() {
    int ordered = slot.level();
    if (ordered != level) {
      level = ordered;
      queue.setLevel(ordered >= 1 && ordered <= 3 ? Level.of(ordered) : ownLevel);
    }
  }

  private void carryOutWindow() {
    long nanos = slot.windowNanos();
    int commands = slot.windowCommands();
    int batch = slot.windowBatch();
    if (nanos != windowNanos || commands != windowCommands || batch != windowBatch) {
      windowNanos = nanos;
      windowCommands = commands;
      windowBatch = batch;
      queue.setWindow(window(nanos, commands, batch));
    }
  }

  /** Where a number makes no sense, it counts as none. */
  static LaunchWindow window(long nanos, int commands, int batch) {
    if (nanos > 0) {
      return new LaunchWindow.Adaptive(
          Duration.ofNanos(nanos), commands > 0 ? commands : Integer.MAX_VALUE);
    }
    if (commands > 0) {
      int usual = Math.max(1, commands / 2);
      return new LaunchWindow.Fixed(commands, batch > 0 ? Math.min(batch, commands) : usual);
    }
    return LaunchWindow.DEFAULT;
  }
}
