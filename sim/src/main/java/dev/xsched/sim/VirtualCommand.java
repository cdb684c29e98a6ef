package dev.xsched.sim;

import dev.xsched.queue.Command;

/** A command that keeps the virtual XPU busy for a given time. Made by {@link VirtualXpu}. */
public final class VirtualCommand extends Command {
  // Guarded by the engine's lock.
  long remainingNanos;
  long arrivalOrder;
  boolean done;
  boolean begun;

  VirtualCommand(long nanos) {
    remainingNanos = nanos;
  }
}
