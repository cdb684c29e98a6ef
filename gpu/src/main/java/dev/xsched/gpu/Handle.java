package dev.xsched.gpu;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Something that a driver made. It is released once: after it was closed, and not while a call is
 * using it. Handing a released address to a driver would end the whole program.
 */
public final class Handle implements AutoCloseable {
  private final String what;
  private final MemorySegment address;
  private final Consumer<MemorySegment> releaser;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Calls that use it now, and one more until it is closed. */
  private final AtomicInteger users = new AtomicInteger(1);

  /**
   * Takes ownership.
   *
   * @param what it is, for messages: "kernel 'add'"
   */
  public Handle(String what, MemorySegment address, Consumer<MemorySegment> releaser) {
    this.what = what;
    this.address = address;
    this.releaser = releaser;
  }

  /**
   * Keeps it from being released until {@link #leave}, which must follow.
   *
   * @throws IllegalStateException if it was closed
   */
  public MemorySegment enter() {
    int before = users.getAndUpdate(n -> n == 0 ? 0 : n + 1);
    if (before == 0) {
      throw gone();
    }
    if (closed.get()) {
      leave();
      throw gone();
    }
    return address;
  }

  private IllegalStateException gone() {
    return new IllegalStateException(
        what + " is closed; close it only after the commands that use it have finished");
  }

  /** Ends what {@link #enter} began. */
  public void leave() {
    if (users.decrementAndGet() == 0) {
      releaser.accept(address);
    }
  }

  /** Keeps it from being released while the action uses it. */
  public <T> T get(Function<MemorySegment, T> action) {
    MemorySegment entered = enter();
    try {
      return action.apply(entered);
    } finally {
      leave();
    }
  }

  /** As {@link #get}, for an action without a result. */
  public void run(Consumer<MemorySegment> action) {
    MemorySegment entered = enter();
    try {
      action.accept(entered);
    } finally {
      leave();
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      leave();
    }
  }
}
