package dev.xsched.bench;

import dev.xsched.queue.Command;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.ThreadSyncer;
import dev.xsched.queue.XQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What a command costs on its way through an {@link XQueue} to a device that takes no time. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SubmitBenchmark {
  private static final int COMMANDS = 10_000;

  @Param({"adaptive", "8/4", "16/8"})
  String window = "adaptive";

  private final ThreadSyncer syncer = new ThreadSyncer();
  private final NoOpHwQueue hwQueue = new NoOpHwQueue();
  private final XQueue queue = new XQueue("bench", hwQueue, syncer, System::nanoTime);

  @Setup
  public void setWindow() {
    queue.setWindow(
        switch (window) {
          case "8/4" -> new LaunchWindow.Fixed(8, 4);
          case "16/8" -> new LaunchWindow.Fixed(16, 8);
          default -> LaunchWindow.DEFAULT;
        });
  }

  @TearDown
  public void close() {
    queue.close();
    syncer.close();
  }

  /** Submits from one thread and waits at the end; an operation is one command. */
  @Benchmark
  @OperationsPerInvocation(COMMANDS)
  public long submitToLaunch() throws InterruptedException {
    for (int i = 0; i < COMMANDS; i++) {
      queue.submit(new Command());
    }
    queue.waitAll();
    return hwQueue.launched;
  }

  private static final class NoOpHwQueue implements HwQueue {
    private long launched;

    @Override
    public void launch(Command command) {
      launched++;
    }

    @Override
    public boolean sync(Command command) {
      return true;
    }
  }
}
