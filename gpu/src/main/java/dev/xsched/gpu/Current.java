package dev.xsched.gpu;

import java.util.function.Supplier;

/**
 * What CUDA and HIP have a current one of for each thread: a context or a device. Calls come from
 * whichever thread submits or waits; so each of ours puts it on and takes it off again, and a
 * program's own stays what it was.
 */
public abstract class Current {
  /** Puts it on; returns what {@link #leave} must know. */
  protected abstract int enter();

  protected abstract void leave(int entered);

  public final <T> T get(Supplier<T> action) {
    int entered = enter();
    try {
      return action.get();
    } finally {
      leave(entered);
    }
  }

  public final void run(Runnable action) {
    int entered = enter();
    try {
      action.run();
    } finally {
      leave(entered);
    }
  }
}
