package dev.xsched.sim.shared;

import dev.xsched.queue.Command;

/** A command that keeps the shared virtual XPU busy for a given time. */
final class SharedCommand extends Command {
  final long nanos;

  /** Set at the launch. Volatile, because another thread than the launching one waits for it. */
  volatile long endNanos;

  SharedCommand(long nanos) {
    this.nanos = nanos;
  }
}
