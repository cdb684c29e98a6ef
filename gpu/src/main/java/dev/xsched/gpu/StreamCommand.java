package dev.xsched.gpu;

import dev.xsched.queue.Command;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be put into a stream of CUDA or HIP. Kernels, buffers and graphs make the
 * usual ones; anything else that takes a stream is a command through {@link #of}.
 */
public final class StreamCommand extends Command {
  /**
   * A function of the driver that puts something into a stream, with its arguments but the stream.
   */
  @FunctionalInterface
  public interface Enqueue {
    /**
     * Calls it, without waiting. The stream's context or device is the current one.
     *
     * @param stream as the driver knows it
     * @return the driver's code
     */
    int into(MemorySegment stream);
  }

  private final String what;
  private final Enqueue enqueue;

  /** Set at the launch, taken by the thread that waits. */
  private final AtomicReference<@Nullable MemorySegment> event = new AtomicReference<>();

  private StreamCommand(String what, Enqueue enqueue) {
    this.what = what;
    this.enqueue = enqueue;
  }

  /**
   * A command of any kind.
   *
   * @param what it is, for messages: "cuMemPrefetchAsync"
   */
  public static StreamCommand of(String what, Enqueue enqueue) {
    return new StreamCommand(what, enqueue);
  }

  void enqueue(StreamDriver driver, MemorySegment stream) {
    driver.check(what, enqueue.into(stream));
  }

  void completesWith(MemorySegment newEvent) {
    event.set(newEvent);
  }

  /** Returns the event that tells of its completion, which the caller owns then; null if none. */
  @Nullable MemorySegment takeEvent() {
    return event.getAndSet(null);
  }
}
