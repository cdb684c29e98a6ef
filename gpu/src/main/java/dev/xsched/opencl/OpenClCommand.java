package dev.xsched.opencl;

import dev.xsched.queue.Command;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be put into an OpenCL queue. Kernels and buffers make the usual ones; anything
 * else that OpenCL can enqueue is a command through {@link #of}.
 */
public final class OpenClCommand extends Command {
  /** One of OpenCL's clEnqueue functions, with all its arguments but two. */
  @FunctionalInterface
  public interface Enqueue {
    /**
     * Calls it, without a wait list and without waiting.
     *
     * @param queue a cl_command_queue
     * @param eventOut where OpenCL shall put the event (a cl_event*), or NULL
     * @return OpenCL's code
     */
    int into(MemorySegment queue, MemorySegment eventOut);
  }

  private final String what;
  private final Enqueue enqueue;

  /** Set at the launch, taken by the thread that waits. */
  private final AtomicReference<@Nullable MemorySegment> event = new AtomicReference<>();

  private OpenClCommand(String what, Enqueue enqueue) {
    this.what = what;
    this.enqueue = enqueue;
  }

  /**
   * A command of any kind.
   *
   * @param what it is, for messages: "clEnqueueCopyImage"
   */
  public static OpenClCommand of(String what, Enqueue enqueue) {
    return new OpenClCommand(what, enqueue);
  }

  void enqueue(MemorySegment queue, MemorySegment eventOut) {
    OpenClErrors.check(what, enqueue.into(queue, eventOut));
  }

  void completesWith(MemorySegment newEvent) {
    event.set(newEvent);
  }

  /** Returns the event that tells of its completion, which the caller owns then; null if none. */
  @Nullable MemorySegment takeEvent() {
    return event.getAndSet(null);
  }
}
