package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.link.Gpu;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Takes the work of queues off their GPUs, in the middle of a kernel, and puts it back.
 *
 * <p>One call to the driver takes 0.5 to 0.8 ms, too long for whoever decides. So decisions leave a
 * wish here, and a thread brings the GPUs in line with the last one. A wish that was taken back
 * before the thread came to it costs nothing.
 *
 * <p>Memory of a program is touched under the lock only, so that nobody does after {@link
 * #forget(Program)}; the driver is called without it.
 */
final class Interrupts implements AutoCloseable {
  /** How often a program whose work is off the GPU is looked at. */
  static final long LOOK_NANOS = 100_000_000;

  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  /** Measured on an H200 with driver 580.159, from another process. */
  private static final long FIRST_COST_NANOS = 800_000;

  /** A program that was asleep when it was asked says nothing about the driver. */
  private static final long MOST_COST_NANOS = 10_000_000;

  private static final long END_MILLIS = 2_000;

  /** Told on the thread of the interrupts, which holds no lock then. */
  @FunctionalInterface
  interface Listener {
    /**
     * A queue's work went off its GPU, or is on it again.
     *
     * @param nanos how long that took since it was begun
     */
    void carriedOut(ManagedQueue queue, boolean interrupted, long nanos);
  }

  private record Place(Program program, int gpu) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition news = lock.newCondition();
  private final Map<Place, InterruptedGpu> gpus = new LinkedHashMap<>();

  /** By the last wish of each; of the thread that decides. */
  private final Set<ManagedQueue> wanted = new HashSet<>();

  private final Set<InterruptedGpu> toFollow = new LinkedHashSet<>();
  private final InterruptedGpu.Surroundings surroundings;
  private final LongSupplier clock;
  private final ChannelSwitches switches;
  private final Listener listener;
  private final Alarm alarm;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("xsched-interrupts").unstarted(this::run);
  private volatile long costNanos = FIRST_COST_NANOS;
  private boolean expected;
  private boolean closing;

  Interrupts(ChannelSwitch.Opener opener, LongSupplier clock, Listener listener, Runnable onNews) {
    this.clock = clock;
    this.listener = listener;
    this.switches = new ChannelSwitches(opener);
    this.alarm = new Alarm(onNews, clock);
    this.surroundings =
        new InterruptedGpu.Surroundings(
            lock, clock, switches, new LinkedHashSet<>(), this::costNanos, alarm);
  }

  void start() {
    alarm.start();
    thread.start();
  }

  /**
   * Wishes that a queue's work is off its GPU, or on it again. All work of the program on that GPU
   * goes together, so this is for those whose queues there are all to stop. Does nothing for a
   * queue that is on no GPU; on one whose program does not offer it, the wish waits for that.
   */
  void want(ManagedQueue queue, boolean interrupted) {
    Gpu gpu = queue.gpu();
    if (gpu == null || !(interrupted ? wanted.add(queue) : wanted.remove(queue))) {
      return;
    }
    lock.lock();
    try {
      if (closing) {
        return;
      }
      InterruptedGpu target =
          gpus.computeIfAbsent(
              new Place(queue.program(), gpu.index()),
              place -> new InterruptedGpu(place.program(), gpu, surroundings));
      target.wish(queue, interrupted);
      hurry(target);
    } finally {
      lock.unlock();
    }
  }

  /** There is a GPU now: the first interrupt should find all ready. */
  void expect() {
    lock.lock();
    try {
      expected = true;
      news.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Whether its work is off the GPU now. */
  boolean isInterrupted(ManagedQueue queue) {
    return queue.interruption != Gpu.Interrupt.NONE;
  }

  /** What an interrupt takes, as of late. */
  long costNanos() {
    return costNanos;
  }

  /** The program has written something about that queue; it may be an answer. */
  void heard(ManagedQueue queue) {
    Gpu gpu = queue.gpu();
    if (gpu == null || !(wanted.contains(queue) || isInterrupted(queue))) {
      return;
    }
    lock.lock();
    try {
      InterruptedGpu target = gpus.get(new Place(queue.program(), gpu.index()));
      if (target != null) {
        hurry(target);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The program has work that does not end. If nobody wishes its work off its GPUs, and it once
   * was, it is put back once more: somebody else may have disabled channels, and superfluous calls
   * do no harm.
   */
  void doubt(Program program) {
    onGpusOf(program, InterruptedGpu::doubt);
  }

  /** Forgets a queue; what was done for it is undone. */
  void forget(ManagedQueue queue) {
    want(queue, false);
  }

  /** Forgets a program, and touches its memory no more. What it left disabled is enabled. */
  void forget(Program program) {
    onGpusOf(program, InterruptedGpu::forget);
  }

  private void onGpusOf(Program program, Consumer<InterruptedGpu> action) {
    lock.lock();
    try {
      gpus.forEach(
          (place, target) -> {
            if (place.program() == program) {
              action.accept(target);
              hurry(target);
            }
          });
    } finally {
      lock.unlock();
    }
  }

  /** Puts everything back, and ends. Not to be called with a lock that the listener takes. */
  @Override
  public void close() {
    alarm.close();
    lock.lock();
    try {
      closing = true;
      gpus.values().forEach(InterruptedGpu::wishNothing);
      gpus.values().forEach(this::hurry);
      news.signal();
    } finally {
      lock.unlock();
    }
    if (thread.getState() == Thread.State.NEW) {
      work();
      switches.close();
      return;
    }
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void hurry(InterruptedGpu target) {
    toFollow.add(target);
    news.signal();
  }

  private void run() {
    while (true) {
      long left = work();
      lock.lock();
      try {
        if (closing && toFollow.isEmpty()) {
          break;
        }
        if (toFollow.isEmpty() && left > 0 && !expected) {
          long _ = news.awaitNanos(left);
        }
      } catch (InterruptedException e) {
        break;
      } finally {
        lock.unlock();
      }
    }
    switches.close();
  }

  /** Does what there is to do; returns for how long there will be nothing. */
  long work() {
    if (isNewlyExpected()) {
      switches.prepare();
    }
    for (InterruptedGpu target : due()) {
      try {
        follow(target);
      } catch (RuntimeException | Error e) {
        // The others' work must not stay off their GPUs.
        LOG.log(Level.ERROR, "an interrupt could not be carried out", e);
      }
    }
    lock.lock();
    try {
      gpus.values().removeIf(InterruptedGpu::isOver);
      long now = clock.getAsLong();
      return gpus.values().stream()
          .mapToLong(target -> target.dueAt() - now)
          .min()
          .orElse(TimeUnit.HOURS.toNanos(1));
    } finally {
      lock.unlock();
    }
  }

  private boolean isNewlyExpected() {
    lock.lock();
    try {
      boolean newly = expected;
      expected = false;
      return newly;
    } finally {
      lock.unlock();
    }
  }

  private List<InterruptedGpu> due() {
    lock.lock();
    try {
      long now = clock.getAsLong();
      gpus.values().stream().filter(target -> target.dueAt() <= now).forEach(toFollow::add);
      List<InterruptedGpu> due = new ArrayList<>(toFollow);
      toFollow.clear();
      return due;
    } finally {
      lock.unlock();
    }
  }

  private void follow(InterruptedGpu target) {
    for (InterruptedGpu.Change change : target.follow()) {
      if (change.interrupted()) {
        long cost = costNanos;
        costNanos = cost + (Math.min(change.nanos(), MOST_COST_NANOS) - cost) / 8;
      }
      listener.carriedOut(change.queue(), change.interrupted(), change.nanos());
    }
  }
}
