package dev.xsched.sim;

import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The device's side of one queue: plain state, guarded by the lock of its {@link Engine}. */
final class Lane {
  /** Told once what became of a command that the host waits for. */
  @FunctionalInterface
  interface Watcher {
    void synced(boolean completed);
  }

  final DeviceContext context;
  final Condition progress;
  final ArrayDeque<VirtualCommand> arrived = new ArrayDeque<>();
  boolean offered;
  boolean running;

  /** Deactivated or interrupted: no further command of this lane starts. */
  boolean stopped;

  /** On the way back from an interrupt. */
  boolean restoring;

  /** Counts stops and restarts, so that what was planned before the last one is recognised. */
  long orders;

  /** Counts starts and ends, so that the planned end of a run that was cut short is recognised. */
  long runs;

  /** When the run began, on the engine's own scale of progress. */
  double startedAt;

  /** Where the running command will end, on the same scale. */
  double endsAt;

  /** The run that an interrupt is to end. */
  long interruptedRun;

  /** When an interrupt that is under way will have taken effect. */
  long offNanos;

  long busyNanos;
  long lastBusyNanos;
  @Nullable VirtualCommand watched;
  @Nullable Watcher watcher;
  int blocked;

  Lane(DeviceContext context, Condition progress) {
    this.context = context;
    this.progress = progress;
  }

  /** The command that runs or is next. There must be one. */
  VirtualCommand head() {
    return arrived.getFirst();
  }

  boolean canRun() {
    return !stopped && !running && !arrived.isEmpty();
  }

  /** Whether the device does not work for this lane and will not. */
  boolean left() {
    return stopped && !running && !restoring;
  }
}
