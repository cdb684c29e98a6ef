package dev.xsched.queue;

import java.lang.System.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A piece of work for a device: a kernel, a copy, a graph launch. Devices extend it with what their
 * {@link HwQueue} needs to launch it. A command is submitted once.
 */
public class Command {
  /** The life of a command. The last three are final. */
  public enum State {
    CREATED,
    /** Submitted, not launched. */
    PENDING,
    /** Handed to the hardware. */
    IN_FLIGHT,
    COMPLETED,
    /** Thrown away by a resume with drop before it was launched. */
    DROPPED,
    /** The device refused it or broke; see {@link #failure}. */
    FAILED
  }

  private volatile State state = State.CREATED;
  private @Nullable Runnable onFinish;

  // Owned by the XQueue and guarded by its lock.
  volatile @Nullable XQueue owner;
  @Nullable Command next;
  long sequence;
  boolean syncPoint;
  volatile @Nullable Throwable failure;

  public final State state() {
    return state;
  }

  /** Position in its queue, from 1. Zero before it is submitted. */
  public final long sequence() {
    return sequence;
  }

  /** Whether its completion will be waited for, so that the device must be able to tell. */
  public final boolean isSyncPoint() {
    return syncPoint;
  }

  /** Whether nothing more will happen to it. */
  public final boolean isFinished() {
    return state.compareTo(State.COMPLETED) >= 0;
  }

  /** Why it failed; null unless it did. */
  public final @Nullable Throwable failure() {
    return failure;
  }

  /**
   * Has the callback run once when the command is finished, in the order of submission, on a thread
   * that learned of it; who waits for the command may be back a moment earlier. Set it before
   * submitting. It may submit more, but must not wait.
   */
  public final Command onFinish(Runnable callback) {
    if (state != State.CREATED) {
      throw new IllegalStateException("set onFinish before the command is submitted");
    }
    onFinish = callback;
    return this;
  }

  final void enter(State newState) {
    state = newState;
  }

  /** Tells the user. A callback that throws, whatever it is, must not take the queue with it. */
  final void runCallback() {
    Runnable callback = onFinish;
    if (callback == null) {
      return;
    }
    try {
      callback.run();
    } catch (Throwable e) {
      System.getLogger("dev.xsched").log(Logger.Level.ERROR, "a command's callback failed", e);
    }
  }
}
