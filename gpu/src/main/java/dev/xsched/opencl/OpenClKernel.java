package dev.xsched.opencl;

import dev.xsched.gpu.Arguments;
import dev.xsched.gpu.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** A kernel of a program. Commands of it may go to any queue of its device, at the same time. */
public final class OpenClKernel implements AutoCloseable {
  private final OpenCl cl;
  private final String name;
  private final Handle handle;
  private final int parameters;

  /** OpenCL keeps arguments in the kernel until it is enqueued, so this is one step for us. */
  private final ReentrantLock arming = new ReentrantLock();

  OpenClKernel(OpenCl cl, String name, Handle handle, int parameters) {
    this.cl = cl;
    this.name = name;
    this.handle = handle;
    this.parameters = parameters;
  }

  /**
   * A command that runs the kernel.
   *
   * @param arguments one for each of its parameters: an {@link OpenClBuffer} for a global pointer,
   *     an Integer for an int, and so on; a native MemorySegment for a struct
   */
  public OpenClCommand over(Range range, Object... arguments) {
    Arguments checked = new Arguments(name, arguments);
    if (checked.sizes().size() != parameters) {
      throw new IllegalArgumentException(
          "kernel '%s' has %d parameters and was given %d arguments"
              .formatted(name, parameters, arguments.length));
    }
    return OpenClCommand.of(
        "kernel '%s'".formatted(name),
        (queue, event) ->
            checked.use((values, arena) -> enqueue(queue, range, values, event, arena)));
  }

  private int enqueue(
      MemorySegment queue,
      Range range,
      List<MemorySegment> values,
      MemorySegment event,
      Arena arena) {
    MemorySegment kernel = handle.enter();
    arming.lock();
    try {
      for (int i = 0; i < values.size(); i++) {
        cl.setArgument(kernel, name, i, values.get(i).byteSize(), values.get(i));
      }
      return cl.enqueueKernel(
          queue, kernel, range.dimensions(), range.global(arena), range.local(arena), event);
    } finally {
      arming.unlock();
      handle.leave();
    }
  }

  /** The most work items that one group of it can have on that device. */
  long largestGroup(MemorySegment device) {
    return handle.get(kernel -> cl.largestGroup(kernel, device));
  }

  @Override
  public void close() {
    handle.close();
  }
}
