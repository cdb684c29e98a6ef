package dev.xsched.gpu;

import dev.xsched.queue.Device;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A device behind a driver. It has a context, and owns what is made there. */
public abstract class DriverDevice implements Device {
  private final ThreadSyncer syncer = new ThreadSyncer();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** What was made here and not released yet, by its address. */
  private final Map<MemorySegment, Handle> made = new ConcurrentHashMap<>();

  /**
   * Takes ownership of something that was made here.
   *
   * @param what it is, for messages: "kernel 'add'"
   */
  protected final Handle keep(
      String what, MemorySegment address, Consumer<MemorySegment> releaser) {
    Handle handle =
        new Handle(
            what,
            address,
            released -> {
              made.remove(released); // First: the driver may use the address again at once.
              releaser.accept(released);
            });
    made.put(address, handle);
    return handle;
  }

  @Override
  public final boolean simulated() {
    return false;
  }

  @Override
  public final Syncer syncer() {
    return syncer;
  }

  /** Closes what was made here, too. Close the queues first. */
  @Override
  public final void close() {
    if (closed.compareAndSet(false, true)) {
      syncer.close();
      made.values().forEach(Handle::close);
      releaseContext();
    }
  }

  /** Comes last, and once. */
  protected abstract void releaseContext();
}
