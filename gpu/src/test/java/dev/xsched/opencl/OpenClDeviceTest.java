package dev.xsched.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** XQueues over a real OpenCL device; PoCL where there is no GPU. */
class OpenClDeviceTest {
  private final TestDevice test = TestDevice.open();
  private final OpenClDevice device = test.device;

  @AfterEach
  void close() {
    test.close();
  }

  @Test
  void kernelsAndCopiesGiveTheRightResult() throws InterruptedException {
    int[] a = IntStream.range(0, 1000).toArray();
    int[] b = IntStream.range(0, 1000).map(i -> 7 * i).toArray();
    OpenClBuffer sum = device.newBuffer(4000);
    XQueue queue = test.newQueue();
    queue.submit(test.kernel("add").over(Range.of(1000), test.ints(a), test.ints(b), sum));
    assertThat(test.read(sum, queue)).isEqualTo(IntStream.range(0, 1000).map(i -> 8 * i).toArray());
    queue.submit(sum.fill((byte) 0x11));
    assertThat(test.read(sum, queue)).containsOnly(0x11111111);
  }

  @Test
  void commandsRunInTheOrderInWhichTheyWereSubmitted() throws InterruptedException {
    for (LaunchWindow window :
        List.of(LaunchWindow.DEFAULT, new LaunchWindow.Fixed(8, 4), LaunchWindow.UNLIMITED)) {
      OpenClBuffer x = test.ints(1);
      OpenClKernel step = test.kernel("advance");
      XQueue queue = test.newQueue();
      queue.setWindow(window);
      int expected = 1;
      for (int i = 0; i < 300; i++) {
        queue.submit(step.over(Range.of(1), x, i));
        expected = expected * 3 + i;
      }
      assertThat(test.read(x, queue)).as(window.toString()).containsExactly(expected);
    }
  }

  @Test
  void aSuspendedQueueLaunchesNothingAndLosesNothing() throws InterruptedException {
    OpenClBuffer out = test.ints(new int[400]);
    OpenClKernel store = test.kernel("store");
    XQueue queue = test.newQueue();
    for (int i = 0; i < 200; i++) {
      queue.submit(store.over(Range.of(1), out, i, 1));
    }
    queue.suspend(XQueue.Suspend.SYNC_HARDWARE);
    for (int i = 200; i < 400; i++) {
      queue.submit(store.over(Range.of(1), out, i, 1));
    }
    long launched = queue.stats().launched();
    assertThat(launched).isLessThanOrEqualTo(200);
    assertThat(Arrays.stream(test.read(out)).sum()).isEqualTo((int) launched);
    assertThat(queue.stats().launched()).isEqualTo(launched);
    assertThat(queue.query()).isEqualTo(XQueue.State.READY);
    queue.resume();
    queue.waitAll();
    assertThat(test.read(out)).containsOnly(1);
  }

  @Test
  void theHigherPriorityRunsFirst() throws InterruptedException {
    List<String> finished = new CopyOnWriteArrayList<>();
    try (LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      XQueue low = scheduler.newQueue(device, "low");
      XQueue high = scheduler.newQueue(device, "high");
      scheduler.hint(high, Hint.PRIORITY, 10);
      low.setWindow(new LaunchWindow.Fixed(1, 1));
      high.suspend(); // All of its commands come at once: it does not turn idle in between.
      OpenClBuffer out = test.ints(new int[1]);
      OpenClKernel store = test.kernel("store");
      for (int i = 0; i < 20; i++) {
        Command command = store.over(Range.of(1), out, 0, i);
        boolean first = i == 0;
        command.onFinish(
            () -> {
              finished.add("low");
              for (int j = 0; first && j < 5; j++) {
                Command urgent = store.over(Range.of(1), out, 0, -1);
                high.submit(urgent.onFinish(() -> finished.add("high")));
              }
              high.resume();
            });
        low.submit(command);
      }
      low.waitAll();
    }
    // One command of low may be in flight when high becomes ready, and none is launched later.
    assertThat(finished).hasSize(25);
    assertThat(finished.lastIndexOf("high")).isLessThanOrEqualTo(6);
  }

  @Test
  void twoQueuesMayUseTheSameKernelAtTheSameTime() throws InterruptedException {
    OpenClKernel store = test.kernel("store");
    List<OpenClBuffer> outs = List.of(test.ints(new int[500]), test.ints(new int[500]));
    List<XQueue> queues = List.of(test.newQueue(), test.newQueue());
    List<Thread> threads = new ArrayList<>();
    for (int q = 0; q < 2; q++) {
      XQueue queue = queues.get(q);
      OpenClBuffer out = outs.get(q);
      int sign = q == 0 ? 1 : -1;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = 0; i < 500; i++) {
                      queue.submit(store.over(Range.of(1), out, i, sign * i));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int q = 0; q < 2; q++) {
      int sign = q == 0 ? 1 : -1;
      queues.get(q).waitAll();
      assertThat(test.read(outs.get(q)))
          .isEqualTo(IntStream.range(0, 500).map(i -> sign * i).toArray());
    }
  }

  @Test
  void aDelayKeepsTheDeviceBusyAndEnds() throws InterruptedException {
    XQueue queue = test.newQueue();
    Command delay = device.delay(Duration.ofMillis(1));
    queue.submit(delay);
    queue.wait(delay);
    assertThat(delay.state()).isEqualTo(Command.State.COMPLETED);
  }

  @Test
  void anyEnqueueCanBeACommandEvenWithoutAnEvent() throws InterruptedException {
    OpenCl cl = OpenCl.load(OpenCl.usualLibrary());
    OpenClBuffer out = test.ints(0, 0);
    XQueue queue = test.newQueue();
    queue.setWindow(new LaunchWindow.Fixed(1, 1)); // so that all are sync points
    for (int i = 0; i < 10; i++) {
      queue.submit(
          OpenClCommand.of(
              "my fill",
              (q, _) ->
                  out.handle().get(m -> cl.enqueueFill(q, m, (byte) 1, 8, MemorySegment.NULL))));
    }
    queue.waitAll();
    assertThat(test.read(out)).containsOnly(0x01010101);
  }

  @Test
  void aQueueThatExistsCanBeScheduledAndStaysItsOwners() throws InterruptedException {
    OpenCl cl = OpenCl.load(OpenCl.usualLibrary());
    Listing listing = Listing.best(Listing.all(cl)).orElseThrow();
    MemorySegment context = cl.createContext(listing.device());
    MemorySegment theirs = cl.createQueue(context, listing.device(), 0);
    try (OpenClDevice same = OpenClDevice.ofQueue(theirs);
        LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      assertThat(same.key()).isEqualTo(device.key());
      XQueue queue = scheduler.newQueue(same, same.hwQueueOver(theirs), "theirs");
      OpenClBuffer buffer = same.newBuffer(8);
      queue.submit(buffer.fill((byte) 2));
      assertThat(test.read(buffer, queue)).containsOnly(0x02020202);
      scheduler.close(queue);
      cl.flush(theirs); // It is still there.
    }
    cl.releaseQueue(theirs);
    cl.releaseContext(context);
  }

  @Test
  void aQueueThatWorksOutOfOrderIsRefused() {
    OpenCl cl = OpenCl.load(OpenCl.usualLibrary());
    Listing listing = Listing.best(Listing.all(cl)).orElseThrow();
    MemorySegment context = cl.createContext(listing.device());
    MemorySegment theirs = cl.createQueue(context, listing.device(), OpenCl.OUT_OF_ORDER);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.hwQueueOver(theirs))
        .withMessageContaining("out of order");
    cl.releaseQueue(theirs);
    cl.releaseContext(context);
  }

  @Test
  void hasLevelOneAndSaysSo() {
    XQueue queue = test.newQueue();
    assertThat(queue.setLevel(Level.INTERRUPT).given()).isEqualTo(Level.BLOCK);
  }

  @Test
  void isRealAndHasAKeyThatFitsTheControlBlock() {
    assertThat(device.simulated()).isFalse();
    assertThat(device.key()).matches("(opencl|gpu):.+");
    assertThat(device.key().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(63);
    try (Device again = new OpenClProvider().open("")) {
      assertThat(again.key()).isEqualTo(device.key());
    }
  }

  @Test
  void whatWasMadeIsClosedWithTheDeviceAndOnlyOnce() {
    OpenClBuffer buffer = device.newBuffer(4);
    OpenClBuffer left = device.newBuffer(4);
    buffer.close();
    buffer.close();
    test.close();
    left.close();
  }

  @Test
  void copiesAsMuchAsTheSegmentHas() throws InterruptedException {
    OpenClBuffer buffer = test.ints(1, 2, 3);
    MemorySegment two = Arena.ofAuto().allocate(ValueLayout.JAVA_INT, 2);
    XQueue queue = test.newQueue();
    queue.submit(buffer.read(two));
    queue.waitAll();
    assertThat(two.toArray(ValueLayout.JAVA_INT)).containsExactly(1, 2);
    queue.submit(buffer.write(Arena.ofAuto().allocateFrom(ValueLayout.JAVA_INT, 9)));
    assertThat(test.read(buffer, queue)).containsExactly(9, 2, 3);
  }
}
