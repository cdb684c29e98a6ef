package dev.xsched.sim.shared;

import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import java.util.concurrent.TimeUnit;

/** A queue of the shared virtual XPU. What was launched cannot be stopped: level 1. */
final class SharedQueue implements HwQueue {
  private final SharedFile file;
  private final int number;

  SharedQueue(SharedFile file, int number) {
    this.file = file;
    this.number = number;
  }

  @Override
  public void launch(Command command) {
    SharedCommand own = own(command);
    own.endNanos = file.launch(number, own.sequence(), own.nanos);
  }

  @Override
  public boolean sync(Command command) throws InterruptedException {
    long end = own(command).endNanos;
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
    return true;
  }

  private static SharedCommand own(Command command) {
    if (command instanceof SharedCommand own) {
      return own;
    }
    throw new IllegalArgumentException(
        "the shared virtual XPU cannot execute a %s; make commands with SharedXpu.delay"
            .formatted(command.getClass().getSimpleName()));
  }
}
