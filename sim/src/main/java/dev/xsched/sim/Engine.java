package dev.xsched.sim;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The device itself: executes the commands that arrive in its lanes. What is common to all devices
 * is here; in which order lanes are served is up to the subclass.
 *
 * <p>Everything happens under one lock, in events of the loop or in calls from the host. Watchers
 * are told in events of their own, so nobody is called back under the lock. An interrupt waits by
 * the clock and not for the loop, so the loop's own thread can never be what it waits for.
 */
abstract class Engine {
  protected final EventLoop loop;
  private final ReentrantLock lock = new ReentrantLock();
  private final DeviceModel model;
  private final RandomGenerator random;
  private long lastArrival;
  private int lanesRunning;
  private DoubleSupplier slowdown = () -> 1;

  Engine(EventLoop loop, DeviceModel model, RandomGenerator random) {
    this.loop = loop;
    this.model = model;
    this.random = random;
  }

  static Engine of(EventLoop loop, DeviceModel model, RandomGenerator random) {
    return switch (model.scheduler()) {
      case NativeScheduler.Fifo _ -> new FifoEngine(loop, model, random);
      case NativeScheduler.RoundRobin rr -> new RoundRobinEngine(loop, model, random, rr);
      case NativeScheduler.Sharing sharing -> new SharingEngine(loop, model, random, sharing);
    };
  }

  /** Takes in a lane that can run. */
  protected abstract void offer(Lane lane);

  /** Gives up a lane that was taken in and does not run. */
  protected abstract void withdraw(Lane lane);

  /** Takes a running lane off the device now; its command keeps what remains of its time. */
  protected abstract void cutShort(Lane lane);

  Lane newLane(DeviceContext context) {
    return new Lane(context, lock.newCondition());
  }

  /** A command reaches the device. */
  final void arrive(Lane lane, VirtualCommand command) {
    locked(
        () -> {
          command.arrivalOrder = ++lastArrival;
          lane.arrived.addLast(command);
          offerIfItCanRun(lane);
        });
  }

  /** Starts nothing more of this lane, once the order has reached the device; what runs, ends. */
  final void stop(Lane lane) {
    locked(
        () -> {
          long order = ++lane.orders;
          long delayNanos = model.deactivate().sampleNanos(random);
          if (delayNanos == 0) {
            stopNow(lane);
          } else {
            later(delayNanos, lane, order, () -> stopNow(lane));
          }
        });
  }

  /** Stops a lane and takes its running command off. Returns when it will be off. */
  final long interrupt(Lane lane) {
    lock.lock();
    try {
      stopNow(lane);
      lane.offNanos = loop.nowNanos();
      if (lane.running) {
        lane.offNanos += model.interrupt().sampleNanos(random);
        lane.interruptedRun = lane.runs;
        loop.at(lane.offNanos, () -> takeOff(lane));
      }
      return lane.offNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the interrupted command off. The interrupting thread may have done it before. */
  final void takeOff(Lane lane) {
    locked(
        () -> {
          if (lane.running && lane.runs == lane.interruptedRun) {
            cutShort(lane);
          }
        });
  }

  /** Serves a lane again that was stopped. */
  final void start(Lane lane) {
    locked(
        () -> {
          lane.orders++;
          startNow(lane);
        });
  }

  /** Serves a lane again that was interrupted, after the time that takes. */
  final void restore(Lane lane) {
    locked(
        () -> {
          long order = ++lane.orders;
          lane.restoring = true;
          long untilOffNanos = Math.max(0, lane.offNanos - loop.nowNanos());
          long restoreNanos = model.restore().sampleNanos(random);
          later(untilOffNanos + restoreNanos, lane, order, () -> startNow(lane));
        });
  }

  /** Tells the watcher once the command has completed, or the device has left the lane before. */
  final void watch(Lane lane, VirtualCommand command, Lane.Watcher watcher) {
    locked(
        () -> {
          if (command.done || lane.left()) {
            boolean done = command.done;
            loop.at(loop.nowNanos(), () -> watcher.synced(done));
          } else {
            lane.watched = command;
            lane.watcher = watcher;
          }
        });
  }

  /** The same as {@link #watch} for a thread that can wait. */
  final boolean await(Lane lane, VirtualCommand command) throws InterruptedException {
    lock.lock();
    try {
      lane.blocked++;
      try {
        while (!command.done && !lane.left()) {
          lane.progress.await();
        }
      } finally {
        lane.blocked--;
      }
      return command.done;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a program a time slice of its own; the turn that it has ends as planned. */
  final void setSlice(DeviceContext context, long nanos) {
    locked(() -> context.sliceNanos = nanos);
  }

  /** Device time that the lane got so far. */
  final long busyNanos(Lane lane) {
    lock.lock();
    try {
      return lane.busyNanos + (lane.running ? progressOf(lane) : 0);
    } finally {
      lock.unlock();
    }
  }

  /** The last moment at which the device worked for this lane: now, if it does. */
  final long lastBusyNanos(Lane lane) {
    lock.lock();
    try {
      return lane.running ? loop.nowNanos() : lane.lastBusyNanos;
    } finally {
      lock.unlock();
    }
  }

  /** Has each command take that many times as long, asked when it begins. */
  final void setSlowdown(DoubleSupplier newSlowdown) {
    slowdown = newSlowdown;
  }

  /** Whether it works for anybody at this moment. */
  final boolean busy() {
    lock.lock();
    try {
      return lanesRunning > 0;
    } finally {
      lock.unlock();
    }
  }

  /** Where the device stands on its scale of progress; without sharing this is the time. */
  protected double progressNow() {
    return loop.nowNanos();
  }

  protected final int commandsAtOnce() {
    return model.commandsAtOnce();
  }

  /** Begins the command at the head of a lane, which will end when progress is that far. */
  protected final void begin(Lane lane) {
    lane.offered = false;
    lane.running = true;
    lane.runs++;
    lanesRunning++;
    VirtualCommand command = lane.head();
    if (!command.begun) {
      command.begun = true;
      command.remainingNanos = Math.round(command.remainingNanos * slowdown.getAsDouble());
    }
    lane.startedAt = progressNow();
    lane.endsAt = lane.startedAt + command.remainingNanos;
  }

  /** Plans the end of a run that nobody slows down. */
  protected final void planEnd(Lane lane) {
    long run = lane.runs;
    loop.at(loop.nowNanos() + lane.head().remainingNanos, () -> locked(() -> runEnds(lane, run)));
  }

  /** What a subclass does when the run of a lane that it planned has ended. */
  protected void ended(Lane lane) {}

  /** Ends the run of a lane whose command has completed. */
  protected final void complete(Lane lane) {
    VirtualCommand command = lane.arrived.removeFirst();
    leave(lane, command.remainingNanos);
    command.remainingNanos = 0;
    command.done = true;
    if (lane.watched == command) {
      tellWatcher(lane, true);
    } else if (lane.left()) {
      tellWatcher(lane, false);
    }
    signal(lane);
  }

  /** Ends the run of a lane before its command has completed. */
  protected final void suspendRun(Lane lane) {
    VirtualCommand command = lane.head();
    // At least a nanosecond remains: the command completes by running, not by being taken off.
    long served = Math.min(progressOf(lane), command.remainingNanos - 1);
    command.remainingNanos -= served;
    leave(lane, served);
    if (lane.left()) {
      tellWatcher(lane, false);
      signal(lane);
    }
  }

  protected final void offerIfItCanRun(Lane lane) {
    if (lane.canRun() && !lane.offered) {
      lane.offered = true;
      offer(lane);
    }
  }

  private long progressOf(Lane lane) {
    return Math.round(progressNow() - lane.startedAt);
  }

  private void leave(Lane lane, long servedNanos) {
    lane.running = false;
    lane.runs++;
    lanesRunning--;
    lane.busyNanos += servedNanos;
    lane.lastBusyNanos = loop.nowNanos();
  }

  /** Runs an event under the lock. */
  protected final void locked(Runnable event) {
    lock.lock();
    try {
      event.run();
    } finally {
      lock.unlock();
    }
  }

  /** Carries out an order that takes a while, unless another one has followed by then. */
  private void later(long delayNanos, Lane lane, long order, Runnable action) {
    loop.at(
        loop.nowNanos() + delayNanos,
        () ->
            locked(
                () -> {
                  if (lane.orders == order) {
                    action.run();
                  }
                }));
  }

  private void runEnds(Lane lane, long run) {
    if (lane.runs == run) {
      ended(lane);
    }
  }

  private void stopNow(Lane lane) {
    lane.orders++;
    lane.stopped = true;
    lane.restoring = false;
    if (lane.offered) {
      lane.offered = false;
      withdraw(lane);
    }
    if (lane.left()) {
      tellWatcher(lane, false);
      signal(lane);
    }
  }

  private void startNow(Lane lane) {
    lane.stopped = false;
    lane.restoring = false;
    offerIfItCanRun(lane);
  }

  private void tellWatcher(Lane lane, boolean completed) {
    Lane.@Nullable Watcher watcher = lane.watcher;
    if (watcher != null) {
      lane.watcher = null;
      lane.watched = null;
      loop.at(loop.nowNanos() + model.syncNanos(), () -> watcher.synced(completed));
    }
  }

  private static void signal(Lane lane) {
    if (lane.blocked > 0) {
      lane.progress.signalAll();
    }
  }
}
