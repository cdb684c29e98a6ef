package dev.xsched.cuda;

import dev.xsched.gpu.Handle;
import dev.xsched.gpu.OwnCommand;
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
    stream.run(address -> context.run(() -> launch(own, address)));
  }

  private void launch(CudaCommand command, MemorySegment address) {
    command.enqueue(cuda, address);
    if (command.isSyncPoint()) {
      command.completesWith(recorded(address));
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
    stream.run(address -> context.run(() -> waitFor(taken == null ? recorded(address) : taken)));
    return true;
  }

  private void waitFor(MemorySegment event) {
    try {
      cuda.waitFor(event);
    } finally {
      events.add(event);
    }
  }

  private static CudaCommand own(Command command) {
    return OwnCommand.of(CudaCommand.class, command, "a CUDA queue");
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
