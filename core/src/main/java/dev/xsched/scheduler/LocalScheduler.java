package dev.xsched.scheduler;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.XQueue;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the queues of one program inside that program, without a daemon.
 *
 * <p>What happens is put into an inbox, and whoever finds it untended works through it. So a thread
 * that submits never waits for another one that is busy preempting.
 */
public final class LocalScheduler implements AutoCloseable {
  private final Queue<Runnable> inbox = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unattended = new AtomicInteger();
  private final AtomicLong lastQueueId = new AtomicLong();
  private final Map<XQueue, Long> ids = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timerThread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("xsched-timer").factory());

  // Touched only by whoever tends the inbox.
  private final Scheduler scheduler;
  private final ProcessView process;
  private final Map<Long, XQueue> queues = new HashMap<>();
  private final Map<Device, Integer> devices = new HashMap<>();
  private @Nullable ScheduledFuture<?> wakeUp;

  private LocalScheduler(Policy policy) {
    scheduler = new Scheduler(policy, System::nanoTime, this::arm, new Orders());
    process = scheduler.addProcess(ProcessHandle.current().pid(), 0);
  }

  /** Starts a scheduler with the policy of that name. */
  public static LocalScheduler start(String policy) {
    return start(Policies.named(policy));
  }

  public static LocalScheduler start(Policy policy) {
    return new LocalScheduler(policy);
  }

  /** Makes a queue on a device and schedules it from now on. Close it before the device. */
  public XQueue newQueue(Device device, String name) {
    return newQueue(device, device.newHwQueue(), name);
  }

  /** The same over a queue of the device that is there already. */
  public XQueue newQueue(Device device, HwQueue hwQueue, String name) {
    XQueue queue = new XQueue(name, hwQueue, device.syncer(), System::nanoTime);
    long id = lastQueueId.incrementAndGet();
    ids.put(queue, id);
    tell(
        () -> {
          queues.put(id, queue);
          Integer index = devices.computeIfAbsent(device, _ -> devices.size());
          scheduler.addQueue(id, index, process, Hints.DEFAULT);
        });
    queue.onRunnableChange(() -> tell(() -> update(id, queue)));
    return queue;
  }

  /** Sets a hint of one queue. */
  public void hint(XQueue queue, Hint hint, long value) {
    hint.check(Hint.Scope.QUEUE, value);
    Long id = ids.get(queue);
    if (id == null) {
      throw new IllegalArgumentException(
          "queue %s is not of this scheduler; make it with newQueue".formatted(queue.name()));
    }
    tell(
        () -> {
          if (queues.containsKey(id)) {
            scheduler.hint(id, hint, value, Hints.Source.APPLICATION);
          }
        });
  }

  /** Sets a hint of the whole scheduler, such as the time slice. */
  public void hint(Hint hint, long value) {
    hint.check(Hint.Scope.SYSTEM, value);
    tell(() -> scheduler.systemHint(hint, value, Hints.Source.APPLICATION));
  }

  public void setPolicy(Policy policy) {
    tell(() -> scheduler.setPolicy(policy));
  }

  /** Stops scheduling a queue and closes it. */
  public void close(XQueue queue) {
    Long id = ids.remove(queue);
    if (id == null) {
      return;
    }
    queue.onRunnableChange(() -> {});
    tell(
        () -> {
          queues.remove(id);
          scheduler.removeQueue(id);
        });
    queue.close();
  }

  /** Closes all queues. */
  @Override
  public void close() {
    ids.keySet().forEach(this::close);
    timerThread.shutdown();
  }

  private void update(long id, XQueue queue) {
    if (!queues.containsKey(id)) {
      return;
    }
    long since = queue.runnableSinceNanos();
    if (since == XQueue.NOT_RUNNABLE) {
      scheduler.idle(id);
    } else {
      scheduler.ready(id, since);
    }
  }

  private void tell(Runnable event) {
    inbox.add(event);
    if (unattended.getAndIncrement() != 0) {
      return;
    }
    int count;
    do {
      count = unattended.get();
      for (int i = 0; i < count; i++) {
        inbox.remove().run();
      }
      scheduler.decide();
    } while (unattended.addAndGet(-count) != 0);
  }

  private final class Orders implements Scheduler.Orders {
    @Override
    public void order(long id, boolean run) {
      XQueue queue = queues.get(id);
      if (queue != null) {
        queue.order(run);
      }
    }

    @Override
    public Scheduler.Work work(long id) {
      return Scheduler.Work.of(queues.get(id));
    }

    @Override
    public long completed(long id) {
      XQueue queue = queues.get(id);
      return queue == null ? 0 : queue.stats().completed();
    }
  }

  private void arm(long atNanos) {
    if (wakeUp != null) {
      wakeUp.cancel(false);
      wakeUp = null;
    }
    if (atNanos != Decision.NEVER) {
      long delay = Math.max(0, atNanos - System.nanoTime());
      wakeUp = timerThread.schedule(() -> tell(() -> {}), delay, TimeUnit.NANOSECONDS);
    }
  }
}
