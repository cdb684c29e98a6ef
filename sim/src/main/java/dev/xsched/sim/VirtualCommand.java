package dev.xsched.sim;

import dev.xsched.queue.Command;

/** A command that keeps the virtual XPU busy for a given time. */
final class VirtualCommand extends Command {
  // Guarded by the engine's lock.
  long remainingNanos;
  long arrivalOrder;
  boolean done;

  VirtualCommand(long nanos) {
    remainingNanos = nanos;
  }
}
