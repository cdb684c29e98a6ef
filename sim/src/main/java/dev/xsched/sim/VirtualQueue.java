package dev.xsched.sim;

import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.Level;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The host's side of a queue of the virtual XPU. Launching costs the host time, which is spent one
 * command after the other; until then a command is on its way.
 */
public final class VirtualQueue implements HwQueue {
  private final DeviceModel model;
  private final EventLoop loop;
  private final Engine engine;
  private final Lane lane;

  /** When the last launched command reaches the device. Only the launching thread touches it. */
  private long arrivalNanos = Long.MIN_VALUE;

  VirtualQueue(DeviceModel model, EventLoop loop, Engine engine, DeviceContext context) {
    this.model = model;
    this.loop = loop;
    this.engine = engine;
    this.lane = engine.newLane(context);
  }

  @Override
  public Set<Level> levels() {
    return model.levels();
  }

  @Override
  public void launch(Command command) {
    VirtualCommand own = own(command);
    arrivalNanos = Math.max(arrivalNanos, loop.nowNanos()) + model.launchNanos();
    loop.at(arrivalNanos, () -> engine.arrive(lane, own));
  }

  @Override
  public boolean sync(Command command) throws InterruptedException {
    if (loop.mustNotBlock()) {
      throw new IllegalStateException("no time passes while this thread waits; use syncer()");
    }
    boolean completed = engine.await(lane, own(command));
    LockSupport.parkNanos(model.syncNanos());
    return completed;
  }

  /** The same as {@link #sync} for who cannot wait: the watcher is told in an event of the loop. */
  void watch(Command command, Lane.Watcher watcher) {
    engine.watch(lane, own(command), watcher);
  }

  @Override
  public void deactivate() {
    if (!model.levels().contains(Level.DEACTIVATE)) {
      HwQueue.super.deactivate();
    }
    engine.stop(lane);
  }

  @Override
  public void reactivate() {
    if (!model.levels().contains(Level.DEACTIVATE)) {
      HwQueue.super.reactivate();
    }
    engine.start(lane);
  }

  /** Returns when the command is off; inside of an event, where it cannot wait, before that. */
  @Override
  public void interrupt() {
    if (!model.levels().contains(Level.INTERRUPT)) {
      HwQueue.super.interrupt();
    }
    long offNanos = engine.interrupt(lane);
    if (!loop.mustNotBlock()) {
      for (long left = offNanos - loop.nowNanos(); left > 0; left = offNanos - loop.nowNanos()) {
        LockSupport.parkNanos(left);
      }
      engine.takeOff(lane);
    }
  }

  @Override
  public void restore() {
    if (!model.levels().contains(Level.INTERRUPT)) {
      HwQueue.super.restore();
    }
    engine.restore(lane);
  }

  /** Gives its program a time slice of its own, on a device whose programs take turns. */
  public void setSlice(long nanos) {
    engine.setSlice(lane.context, nanos);
  }

  /** Device time that this queue got so far. */
  public long busyNanos() {
    return engine.busyNanos(lane);
  }

  /** The last moment at which the device worked for this queue: now, if it does. */
  public long lastBusyNanos() {
    return engine.lastBusyNanos(lane);
  }

  private static VirtualCommand own(Command command) {
    if (command instanceof VirtualCommand own) {
      return own;
    }
    throw new IllegalArgumentException(
        "the virtual XPU cannot execute a %s; make commands with VirtualXpu.command"
            .formatted(command.getClass().getSimpleName()));
  }
}
