package dev.xsched.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.gpu.NativeLibrary;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.XQueue;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Each event that we asked OpenCL for is given back. */
class OpenClEventsTest {
  @Test
  void noEventIsLeftBehind() throws InterruptedException {
    NativeLibrary library = NativeLibrary.load(OpenCl.usualLibrary(), "");
    MethodHandle retain = library.function("clRetainEvent", ADDRESS);
    List<MemorySegment> seen = new CopyOnWriteArrayList<>();
    try (TestDevice test = TestDevice.open()) {
      OpenCl cl = OpenCl.load(OpenCl.usualLibrary());
      OpenClBuffer buffer = test.ints(0);
      XQueue queue = test.newQueue();
      queue.setWindow(new LaunchWindow.Fixed(8, 4));
      // One more than 25 batches: a queue may hold on to the event of its last command.
      for (int i = 0; i < 101; i++) {
        queue.submit(
            OpenClCommand.of(
                "a fill that keeps its event",
                (q, out) -> {
                  int code =
                      buffer.handle().get(memory -> cl.enqueueFill(q, memory, (byte) 1, 4, out));
                  if (!out.equals(MemorySegment.NULL)) {
                    seen.add(retained(retain, out.reinterpret(8).get(ADDRESS, 0)));
                  }
                  return code;
                }));
      }
      queue.waitAll();
      assertThat(seen).hasSize(25);
      for (MemorySegment event : seen) {
        awaitTheLastReference(cl, event);
        cl.releaseEvent(event);
      }
    }
  }

  private static MemorySegment retained(MethodHandle retain, MemorySegment event) {
    try {
      int _ = (int) retain.invokeExact(event);
    } catch (Throwable e) {
      throw NativeLibrary.broken(e);
    }
    return event;
  }

  /** Ours was released before the wait ended; the driver may take its time with its own. */
  private static void awaitTheLastReference(OpenCl cl, MemorySegment event)
      throws InterruptedException {
    for (int i = 0; i < 1000 && cl.referencesTo(event) > 1; i++) {
      Thread.sleep(10);
    }
    assertThat(cl.referencesTo(event)).isEqualTo(1);
  }
}
