package dev.xsched.gpu;

import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A stream of CUDA or HIP. What was put into it cannot be stopped from here: level 1.
 *
 * <p>Only sync points get an event. For any other command that is waited for, an event is recorded
 * behind all that is in the stream by then.
 */
public final class StreamQueue implements HwQueue {
  private final StreamDriver driver;
  private final Current current;
  private final Handle stream;

  /** Events that are not in use. Making one costs more than recording it. */
  private final Queue<MemorySegment> events = new ConcurrentLinkedQueue<>();

  StreamQueue(StreamDriver driver, Current current, Handle stream) {
    this.driver = driver;
    this.current = current;
    this.stream = stream;
  }

  @Override
  public void launch(Command command) {
    StreamCommand own = own(command);
    stream.run(address -> current.run(() -> launch(own, address)));
  }

  private void launch(StreamCommand command, MemorySegment address) {
    command.enqueue(driver, address);
    if (command.isSyncPoint()) {
      command.completesWith(recorded(address));
    }
  }

  private MemorySegment recorded(MemorySegment address) {
    MemorySegment idle = events.poll();
    MemorySegment event = idle == null ? driver.createEvent() : idle;
    driver.record(event, address);
    return event;
  }

  @Override
  public boolean sync(Command command) {
    MemorySegment taken = own(command).takeEvent();
    stream.run(address -> current.run(() -> waitFor(taken == null ? recorded(address) : taken)));
    return true;
  }

  private void waitFor(MemorySegment event) {
    try {
      driver.waitFor(event);
    } finally {
      events.add(event);
    }
  }

  private static StreamCommand own(Command command) {
    return OwnCommand.of(StreamCommand.class, command, "a queue of streams");
  }

  @Override
  public void close() {
    current.run(
        () -> {
          for (MemorySegment event = events.poll(); event != null; event = events.poll()) {
            driver.destroyEvent(event);
          }
        });
    stream.close();
  }
}
