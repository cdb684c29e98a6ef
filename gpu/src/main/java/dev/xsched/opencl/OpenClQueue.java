package dev.xsched.opencl;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;

import dev.xsched.gpu.Handle;
import dev.xsched.gpu.OwnCommand;
import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An OpenCL queue that works in order. What was put into it cannot be stopped: level 1.
 *
 * <p>Events cost memory and time, so only sync points get one. For any other command that is waited
 * for, a marker behind it does. Sync points are flushed, and waiting flushes the rest: so no more
 * than a batch lies in the driver while the device could work on it.
 */
public final class OpenClQueue implements HwQueue {
  private final OpenCl cl;
  private final Handle queue;

  OpenClQueue(OpenCl cl, MemorySegment queue) {
    this.cl = cl;
    this.queue = new Handle("the OpenCL queue", queue, cl::releaseQueue);
  }

  @Override
  public void launch(Command command) {
    OpenClCommand own = own(command);
    queue.run(address -> launch(own, address));
  }

  private void launch(OpenClCommand command, MemorySegment address) {
    if (command.isSyncPoint()) {
      launchWithEvent(command, address);
    } else {
      command.enqueue(address, NULL);
    }
  }

  private void launchWithEvent(OpenClCommand command, MemorySegment address) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(ADDRESS);
      command.enqueue(address, event);
      // A user's own enqueue may have left it out.
      if (!event.get(ADDRESS, 0).equals(NULL)) {
        command.completesWith(event.get(ADDRESS, 0));
      }
    }
    cl.flush(address);
  }

  @Override
  public boolean sync(Command command) {
    MemorySegment event = own(command).takeEvent();
    if (event == null) {
      event = queue.get(cl::enqueueMarker);
    }
    try {
      cl.waitFor(event);
    } finally {
      cl.releaseEvent(event);
    }
    return true;
  }

  private static OpenClCommand own(Command command) {
    return OwnCommand.of(OpenClCommand.class, command, "an OpenCL queue");
  }

  @Override
  public void close() {
    queue.close();
  }
}
