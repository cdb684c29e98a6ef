package dev.xsched.sim;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The scheduler, its queues and a device on virtual time: the very classes that run in a program,
 * with a loop instead of a clock. Same model, same policy, same seed: the same result to the
 * nanosecond.
 *
 * <p>Between queues and scheduler there is a way, as there is between a program and the daemon:
 * what happens at a queue is known to the scheduler after {@code oneWay}, and its order arrives
 * after as long again.
 */
public final class Simulation {
  private static final int DEVICE = 0;

  private final VirtualLoop loop = new VirtualLoop();
  private final RandomGenerator random;
  private final VirtualXpu device;
  private final Scheduler scheduler;
  private final long oneWayNanos;
  private final Map<Long, XQueue> queues = new HashMap<>();
  private long lastQueueId;
  private long armed;

  public Simulation(DeviceModel model, Policy policy, Duration oneWay, long seed) {
    SplittableRandom root = new SplittableRandom(seed);
    device = new VirtualXpu(model, loop, root.split());
    random = root.split();
    oneWayNanos = oneWay.toNanos();
    scheduler = new Scheduler(policy, loop::nowNanos, this::arm, this::order);
  }

  public VirtualLoop loop() {
    return loop;
  }

  public VirtualXpu device() {
    return device;
  }

  /** The source of all chance in the workloads of this simulation. */
  public RandomGenerator random() {
    return random;
  }

  /** Lets virtual time pass. */
  public void run(Duration time) {
    loop.runUntil(loop.nowNanos() + time.toNanos());
  }

  /** Sets a hint of the whole scheduler, such as the time slice. */
  public void hint(Hint hint, long value) {
    scheduler.systemHint(hint, value, Hints.Source.APPLICATION);
  }

  /** Adds a program with one scheduled queue. */
  public ScheduledQueue newQueue(String name, Hints hints) {
    long id = ++lastQueueId;
    VirtualQueue hwQueue = device.newHwQueue();
    XQueue queue = new XQueue(name, hwQueue, device.syncer(), loop::nowNanos);
    ProcessView process = scheduler.addProcess(id, 0);
    queues.put(id, queue);
    scheduler.addQueue(id, DEVICE, process, hints);
    queue.onRunnableChange(() -> later(() -> update(id, queue)));
    return new ScheduledQueue(queue, hwQueue);
  }

  /** A queue under the scheduler, and the device's queue below it. */
  public record ScheduledQueue(XQueue queue, VirtualQueue hwQueue) {}

  private void later(Runnable message) {
    loop.at(loop.nowNanos() + oneWayNanos, message);
  }

  private void update(long id, XQueue queue) {
    long since = queue.runnableSinceNanos();
    if (since == XQueue.NOT_RUNNABLE) {
      scheduler.idle(id);
    } else {
      scheduler.ready(id, since);
    }
    scheduler.decide();
  }

  private void order(long id, boolean run) {
    XQueue queue = queues.get(id);
    if (queue != null) {
      later(() -> queue.order(run));
    }
  }

  private void arm(long atNanos) {
    long thisTime = ++armed;
    if (atNanos != Decision.NEVER) {
      loop.at(
          atNanos,
          () -> {
            if (thisTime == armed) {
              scheduler.decide();
            }
          });
    }
  }
}
