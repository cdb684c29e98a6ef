package dev.xsched.cuda;

import dev.xsched.gpu.Handle;
import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A CUDA stream. What was put into it cannot be stopped from here: level 1.
 *
 * <p>Only sync points get an event. For any other command that is waited for, an event is recorded
 * behind all that is in the stream by then.
 */
public final class CudaQueue implements HwQueue {
  private final Cuda cuda;
  private final CudaContext context;
  private final Handle stream;

  /** Events that are not in use. Making one costs more than recording it. */
  private final Queue<MemorySegment> events = new ConcurrentLinkedQueue<>();

  CudaQueue(CudaContext context, Handle stream) {
    this.cuda = context.cuda();
    this.context = context;
    this.stream = stream;
  }

  @Override
  public void launch(Command command) {
    CudaCommand own = own(command);
    MemorySegment address = stream.enter();
    try {
      context.run(
          () -> {
            own.enqueue(cuda, address);
            if (own.isSyncPoint()) {
              own.completesWith(recorded(address));
            }
          });
    } finally {
      stream.leave();
    }
  }

  private MemorySegment recorded(MemorySegment address) {
    MemorySegment idle = events.poll();
    MemorySegment event = idle == null ? cuda.createEvent() : idle;
    cuda.record(event, address);
    return event;
  }

  @Override
  public boolean sync(Command command) {
    MemorySegment taken = own(command).takeEvent();
    MemorySegment address = stream.enter();
    try {
      context.run(
          () -> {
            MemorySegment event = taken == null ? recorded(address) : taken;
            try {
              cuda.waitFor(event);
            } finally {
              events.add(event);
            }
          });
    } finally {
      stream.leave();
    }
    return true;
  }

  private static CudaCommand own(Command command) {
    if (command instanceof CudaCommand own) {
      return own;
    }
    throw new IllegalArgumentException(
        "a CUDA queue cannot execute a %s; make commands with kernels and buffers of its device"
            .formatted(command.getClass().getSimpleName()));
  }

  @Override
  public void close() {
    context.run(
        () -> {
          for (MemorySegment event = events.poll(); event != null; event = events.poll()) {
            cuda.destroyEvent(event);
          }
        });
    stream.close();
  }
}
