package dev.xsched.queue;

import java.util.Set;

/**
 * A device's own command queue, in six calls. Only {@link #launch} and {@link #sync} must be there
 * (level 1); the others come in pairs, and {@link #levels} says which.
 *
 * <p>An {@link XQueue} calls {@code launch} from one thread at a time and in order, {@code sync}
 * from one thread at a time, and never stops a queue twice without starting it in between.
 */
public interface HwQueue extends AutoCloseable {
  /** The levels that this queue really has. {@link Level#BLOCK} is always among them. */
  default Set<Level> levels() {
    return Set.of(Level.BLOCK);
  }

  /**
   * Hands a command to the hardware and returns without waiting for it. Where {@link
   * Command#isSyncPoint} holds, the completion of this very command must be observable later.
   */
  void launch(Command command);

  /**
   * Waits until a launched command and all before it have completed. It is asked for sync points,
   * and for the command that was launched last.
   *
   * @return true when they have; false when the queue is deactivated or interrupted and the
   *     hardware has left it with the command unfinished
   */
  boolean sync(Command command) throws InterruptedException;

  /** Level 2: stops serving this queue; the running command ends, those in flight stay. */
  default void deactivate() {
    throw new UnsupportedOperationException("this queue has no level 2");
  }

  /** Level 2: serves it again. Every command launched before is still executed once, in order. */
  default void reactivate() {
    throw new UnsupportedOperationException("this queue has no level 2");
  }

  /** Level 3: takes the running command off the hardware, too; returns when it is off. */
  default void interrupt() {
    throw new UnsupportedOperationException("this queue has no level 3");
  }

  /** Level 3: continues the interrupted command where it was, then the others. */
  default void restore() {
    throw new UnsupportedOperationException("this queue has no level 3");
  }

  @Override
  default void close() {}
}
