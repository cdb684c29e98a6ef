package dev.xsched.queue;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Launches commands in order while the {@link LaunchWindow} has room, plants the sync points, and
 * measures how long commands take. Knows nothing of suspension or threads. Not thread-safe.
 */
final class ProgressiveLauncher {
  /** The barrier that holds nothing back. */
  static final long NO_BARRIER = Long.MAX_VALUE;

  private final HwQueue hwQueue;
  private final LongSupplier clock;
  private final CommandList commands = new CommandList();
  private final WindowMeter meter = new WindowMeter();
  private long launched;
  private int launchedSinceSyncPoint;
  private long busySinceNanos;
  private long barrier = NO_BARRIER;
  private @Nullable LaunchGate gate;

  ProgressiveLauncher(HwQueue hwQueue, LongSupplier clock) {
    this.hwQueue = hwQueue;
    this.clock = clock;
  }

  CommandList commands() {
    return commands;
  }

  WindowMeter meter() {
    return meter;
  }

  long launched() {
    return launched;
  }

  /** Keeps commands behind that sequence from being launched. */
  void setBarrier(long sequence) {
    barrier = sequence;
  }

  long barrier() {
    return barrier;
  }

  /** Has each launch ask there first. */
  void setGate(LaunchGate newGate) {
    gate = newGate;
  }

  /** Tells the gate, if there is one, that nothing is at work on the hardware. */
  void stopped() {
    if (gate != null) {
      gate.stopped();
    }
  }

  void launchWhatFits() {
    while (commands.inFlight() < meter.limit() && commands.nextSequence() <= barrier) {
      if (!commands.hasPending() || (gate != null && !gate.open())) {
        return;
      }
      if (commands.inFlight() == 0) {
        busySinceNanos = clock.getAsLong();
      }
      launch(commands.launchNext());
    }
  }

  private void launch(Command command) {
    launched++;
    if (++launchedSinceSyncPoint >= meter.batch()) {
      command.syncPoint = true;
      launchedSinceSyncPoint = 0;
    }
    command.enter(Command.State.IN_FLIGHT);
    try {
      hwQueue.launch(command);
    } catch (RuntimeException e) {
      command.failure = e;
    }
  }

  /** Says that the device did not work on the commands in flight for that long. */
  void stoodStill(long nanos) {
    busySinceNanos += nanos;
  }

  /**
   * Takes off what has completed up to that command, and failed ones whose turn has come.
   *
   * @param shared whether others may have had the device meanwhile
   */
  @Nullable Command completed(@Nullable Command synced, boolean shared) {
    Command chain = commands.retireThrough(synced == null ? 0 : synced.sequence);
    int count = finish(chain, Command.State.COMPLETED);
    if (synced != null && count > 0) {
      long now = clock.getAsLong();
      meter.measured(count, now - busySinceNanos, shared);
      busySinceNanos = now;
    }
    return chain;
  }

  @Nullable Command dropPending() {
    Command chain = commands.dropPending();
    finish(chain, Command.State.DROPPED);
    return chain;
  }

  private static int finish(@Nullable Command chain, Command.State state) {
    int count = 0;
    for (Command c = chain; c != null; c = c.next) {
      c.enter(c.failure == null ? state : Command.State.FAILED);
      count++;
    }
    return count;
  }
}
