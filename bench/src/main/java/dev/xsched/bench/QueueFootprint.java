package dev.xsched.bench;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Policy;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How much heap an idle queue holds, with all that the scheduler knows of it. */
final class QueueFootprint {
  private static final int QUEUES = 2_000;

  private QueueFootprint() {}

  /** Returns bytes per queue, after each of them has executed something. */
  static double bytesPerIdleQueue(Policy policy) throws InterruptedException {
    try (ThreadSyncer syncer = new ThreadSyncer();
        LocalScheduler scheduler = LocalScheduler.start(policy)) {
      Device device = new NoOpDevice(syncer);
      List<XQueue> queues = new ArrayList<>(QUEUES);
      use(scheduler.newQueue(device, "warm-up"));
      long before = usedHeap();
      for (int i = 0; i < QUEUES; i++) {
        XQueue queue = scheduler.newQueue(device, "queue");
        scheduler.hint(queue, Hint.PRIORITY, i % 100);
        use(queue);
        queues.add(queue);
      }
      return (double) (usedHeap() - before) / queues.size();
    }
  }

  private static void use(XQueue queue) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      queue.submit(new Command());
    }
    queue.waitAll();
  }

  private static long usedHeap() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private record NoOpDevice(Syncer syncer) implements Device {
    @Override
    public String name() {
      return "no-op";
    }

    @Override
    public boolean simulated() {
      return true;
    }

    @Override
    public HwQueue newHwQueue() {
      return new HwQueue() {
        @Override
        public void launch(Command command) {}

        @Override
        public boolean sync(Command command) {
          return true;
        }
      };
    }

    @Override
    public Command delay(Duration time) {
      return new Command();
    }

    @Override
    public void close() {}
  }
}
