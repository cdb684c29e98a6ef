package dev.xsched.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.DeviceException;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** What must hold on any device of CUDA or HIP, and on stand-ins. Timing decides none of it. */
public final class StreamChecks {
  /**
   * In what CUDA and HIP differ.
   *
   * @param loadNonsense loads what is no kernel
   * @param knowsParameters whether wrong arguments are noticed
   */
  public record Dialect(
      String invalidValue, String notFound, Runnable loadNonsense, boolean knowsParameters) {}

  private static final Grid ONE = Grid.of(1, 1);

  /** One of them. */
  public interface Check {
    void run() throws Exception;
  }

  private final StreamDevice device;
  private final StreamModule module;
  private final Dialect dialect;

  /**
   * Makes them.
   *
   * @param module with the kernels vector_add, advance and store_at
   */
  public StreamChecks(StreamDevice device, StreamModule module, Dialect dialect) {
    this.device = device;
    this.module = module;
    this.dialect = dialect;
  }

  /** All of them, by what they say. */
  public Map<String, Check> all() {
    Map<String, Check> all = new LinkedHashMap<>();
    all.put("a kernel over a million numbers, and copies both ways", this::kernelsAndCopies);
    all.put("commands run in the order of submission", this::order);
    all.put("fill, and copies on the device", this::fillAndCopy);
    all.put("a graph of three kernels, launched twice", this::graphs);
    all.put("a suspended queue launches nothing and loses nothing", this::suspend);
    all.put("the higher priority runs first", this::priority);
    all.put("four threads on four queues", this::threads);
    all.put("a stream that exists, and the legacy default stream", this::existingStreams);
    all.put("a delay ends", this::delay);
    all.put("any call can be a command", this::anyCall);
    all.put("what is wrong is said", this::errors);
    return all;
  }

  private XQueue newQueue() {
    return new XQueue("q", device.newHwQueue(), device.syncer(), System::nanoTime);
  }

  private MemorySegment host(int... values) {
    MemorySegment memory = device.newHostMemory(4L * values.length, Arena.ofAuto());
    memory.copyFrom(MemorySegment.ofArray(values));
    return memory;
  }

  private StreamBuffer ints(int... values) throws InterruptedException {
    StreamBuffer buffer = device.newBuffer(4L * values.length);
    XQueue queue = newQueue();
    StreamCommand write = buffer.write(host(values));
    queue.submit(write);
    queue.wait(write);
    queue.close();
    return buffer;
  }

  private int[] read(StreamBuffer buffer, XQueue queue) throws InterruptedException {
    MemorySegment memory = host(new int[(int) (buffer.size() / 4)]);
    StreamCommand read = buffer.read(memory);
    queue.submit(read);
    queue.wait(read);
    return memory.toArray(ValueLayout.JAVA_INT);
  }

  private int[] read(StreamBuffer buffer) throws InterruptedException {
    XQueue queue = newQueue();
    int[] values = read(buffer, queue);
    queue.close();
    return values;
  }

  private void kernelsAndCopies() throws InterruptedException {
    int n = 1_000_003;
    StreamBuffer a = ints(IntStream.range(0, n).toArray());
    StreamBuffer b = ints(IntStream.range(0, n).map(i -> 7 * i).toArray());
    StreamBuffer sum = device.newBuffer(4L * n);
    XQueue queue = newQueue();
    queue.submit(module.kernel("vector_add").over(Grid.covering(n, 256), a, b, sum, n));
    assertThat(read(sum, queue)).isEqualTo(IntStream.range(0, n).map(i -> 8 * i).toArray());
    queue.close();
    List.of(a, b, sum).forEach(StreamBuffer::close);
  }

  private void order() throws InterruptedException {
    for (LaunchWindow window :
        List.of(LaunchWindow.DEFAULT, new LaunchWindow.Fixed(8, 4), LaunchWindow.UNLIMITED)) {
      StreamBuffer x = ints(1);
      XQueue queue = newQueue();
      queue.setWindow(window);
      int expected = 1;
      for (int i = 0; i < 1000; i++) {
        queue.submit(module.kernel("advance").over(ONE, x, i));
        expected = expected * 3 + i;
      }
      assertThat(read(x, queue)).as(window.toString()).containsExactly(expected);
      queue.close();
    }
  }

  private void fillAndCopy() throws InterruptedException {
    StreamBuffer from = device.newBuffer(4000);
    StreamBuffer to = device.newBuffer(4000);
    XQueue queue = newQueue();
    queue.submit(from.fill((byte) 0x91));
    queue.submit(to.copyFrom(from));
    assertThat(read(to, queue)).containsOnly(0x91919191);
    queue.close();
  }

  private void graphs() throws InterruptedException {
    StreamBuffer x = ints(1);
    StreamKernel advance = module.kernel("advance");
    try (StreamGraph graph =
        device.capture(
            List.of(advance.over(ONE, x, 1), advance.over(ONE, x, 2), advance.over(ONE, x, 3)))) {
      assertThat(read(x)).as("captured, not executed").containsExactly(1);
      XQueue queue = newQueue();
      queue.submit(graph.launch());
      queue.submit(graph.launch());
      int once = ((1 * 3 + 1) * 3 + 2) * 3 + 3;
      int twice = ((once * 3 + 1) * 3 + 2) * 3 + 3;
      assertThat(read(x, queue)).containsExactly(twice);
      queue.close();
    }
  }

  private void suspend() throws InterruptedException {
    StreamBuffer out = ints(new int[400]);
    StreamKernel store = module.kernel("store_at");
    XQueue queue = newQueue();
    IntStream.range(0, 200).forEach(i -> queue.submit(store.over(ONE, out, i, 1)));
    queue.suspend(XQueue.Suspend.SYNC_HARDWARE);
    IntStream.range(200, 400).forEach(i -> queue.submit(store.over(ONE, out, i, 1)));
    long launched = queue.stats().launched();
    assertThat(launched).isLessThanOrEqualTo(200);
    assertThat(Arrays.stream(read(out)).sum()).isEqualTo((int) launched);
    queue.resume();
    queue.waitAll();
    assertThat(read(out)).containsOnly(1);
    queue.close();
  }

  private void priority() throws InterruptedException {
    List<String> finished = new CopyOnWriteArrayList<>();
    try (LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      XQueue low = scheduler.newQueue(device, "low");
      XQueue high = scheduler.newQueue(device, "high");
      scheduler.hint(high, Hint.PRIORITY, 10);
      low.setWindow(new LaunchWindow.Fixed(1, 1));
      StreamBuffer out = ints(0);
      StreamKernel store = module.kernel("store_at");
      for (int i = 0; i < 20; i++) {
        boolean first = i == 0;
        Runnable then =
            () -> {
              finished.add("low");
              for (int j = 0; first && j < 5; j++) {
                high.submit(store.over(ONE, out, 0, j).onFinish(() -> finished.add("high")));
              }
            };
        low.submit(store.over(ONE, out, 0, i).onFinish(then));
      }
      low.waitAll();
    }
    assertThat(finished).hasSize(25);
    assertThat(finished.lastIndexOf("high")).isLessThanOrEqualTo(6);
  }

  private void threads() throws InterruptedException {
    StreamBuffer out = ints(new int[4 * 500]);
    StreamKernel store = module.kernel("store_at");
    List<Thread> threads = new ArrayList<>();
    List<XQueue> queues = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      int from = 500 * t;
      XQueue queue = newQueue();
      queues.add(queue);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int i = from; i < from + 500; i++) {
                      queue.submit(store.over(ONE, out, i, -i));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (XQueue queue : queues) {
      queue.waitAll();
      queue.close();
    }
    assertThat(read(out)).isEqualTo(IntStream.range(0, 2000).map(i -> -i).toArray());
  }

  private void existingStreams() throws InterruptedException {
    StreamBuffer out = ints(0, 0);
    try (LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      XQueue legacy = scheduler.newQueue(device, device.hwQueueOver(MemorySegment.NULL), "legacy");
      legacy.submit(module.kernel("store_at").over(ONE, out, 0, 5));
      legacy.waitAll();
      assertThat(read(out)).containsExactly(5, 0);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> device.hwQueueOver(MemorySegment.ofAddress(2)))
        .withMessageContaining("per-thread");
  }

  private void delay() throws InterruptedException {
    XQueue queue = newQueue();
    Command delay = device.delay(Duration.ofMillis(1));
    queue.submit(delay);
    queue.wait(delay);
    assertThat(delay.state()).isEqualTo(Command.State.COMPLETED);
    queue.close();
  }

  private void anyCall() throws InterruptedException {
    List<MemorySegment> seen = new CopyOnWriteArrayList<>();
    XQueue queue = newQueue();
    Command fine =
        StreamCommand.of(
            "nothing",
            stream -> {
              seen.add(stream);
              return 0;
            });
    Command wrong = StreamCommand.of("my call", _ -> 1);
    queue.submit(fine);
    queue.submit(wrong);
    queue.wait(fine);
    assertThat(seen).hasSize(1);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(wrong))
        .havingCause()
        .withMessageStartingWith("my call: %s (".formatted(dialect.invalidValue()));
    queue.close();
  }

  private void errors() throws InterruptedException {
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(dialect.loadNonsense()::run)
        .withMessageMatching("(?s)the (PTX does not load|kernels do not compile) [(].*");
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> module.kernel("nothing"))
        .withMessageContaining("'nothing': " + dialect.notFound());
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> device.newBuffer(0))
        .withMessageContaining(dialect.invalidValue());
    StreamBuffer out = ints(0);
    StreamKernel store = module.kernel("store_at");
    if (dialect.knowsParameters()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> store.over(ONE, out, 1L, 2))
          .withMessage(
              "kernel 'store_at' has parameters of [8, 4, 4] bytes"
                  + " and was given arguments of [8, 8, 4] bytes");
    }
    XQueue queue = newQueue();
    Command tooMany = store.over(Grid.of(1, 100_000), out, 0, 1);
    queue.submit(tooMany);
    assertThatExceptionOfType(DeviceException.class)
        .isThrownBy(() -> queue.wait(tooMany))
        .havingCause()
        .withMessageStartingWith("kernel 'store_at': " + dialect.invalidValue());
    assertThat(read(out, queue)).as("the queue goes on").containsExactly(0);
    queue.close();
  }
}
