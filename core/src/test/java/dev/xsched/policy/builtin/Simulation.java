package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.scheduler.Scheduler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * The real scheduler in virtual time, with devices that preempt at no cost. Tasks that run on the
 * same device at the same time get equal parts of it.
 */
final class Simulation {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  static final long FOREVER = Long.MAX_VALUE;

  /** One queue and what it has to do. */
  static final class Task {
    final long id;
    final int device;
    double servedNanos;
    long lastServedNanos;
    long longestGapNanos;
    private double leftNanos;
    private boolean open = true;
    private Runnable whenDone = () -> {};

    private Task(long id, int device, long nowNanos) {
      this.id = id;
      this.device = device;
      this.lastServedNanos = nowNanos;
    }

    boolean ready() {
      return leftNanos > 0;
    }

    boolean isOpen() {
      return open;
    }

    boolean isServed() {
      return open && ready();
    }
  }

  private record Event(long atNanos, long order, Runnable action) {}

  /** More decisions than this at one instant, and the policy is chasing its own tail. */
  private static final int SPIN_LIMIT = 1_000;

  private final Scheduler scheduler;
  private final LongSupplier lateness;
  private final List<Task> tasks = new ArrayList<>();
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingLong(Event::order));
  private long nowNanos = 77 * SECOND;
  private long armedNanos = Decision.NEVER;
  private long lastId;
  private long decisions;

  Simulation(Policy policy) {
    this(policy, () -> 0);
  }

  /** With a timer that fires too late by so many nanoseconds. */
  Simulation(Policy policy, LongSupplier lateness) {
    this.lateness = lateness;
    scheduler = new Scheduler(policy, () -> nowNanos, this::arm, this::order);
  }

  Scheduler scheduler() {
    return scheduler;
  }

  long now() {
    return nowNanos;
  }

  ProcessView process() {
    return scheduler.addProcess(lastId + 1, 0);
  }

  Task task(int device, ProcessView process, Hints hints) {
    Task task = new Task(++lastId, device, nowNanos);
    tasks.add(task);
    scheduler.addQueue(task.id, device, process, hints);
    return task;
  }

  /** Makes a task of a process of its own, with work that never ends. */
  Task busyTask(Hints hints) {
    Task task = task(0, process(), hints);
    submit(task, FOREVER);
    return task;
  }

  void remove(Task task) {
    tasks.remove(task);
    scheduler.removeQueue(task.id);
  }

  void system(Hint hint, long value) {
    scheduler.systemHint(hint, value, Hints.Source.APPLICATION);
  }

  void submit(Task task, long workNanos) {
    submit(task, workNanos, () -> {});
  }

  /** Gives an idle task some work. */
  void submit(Task task, long workNanos, Runnable whenDone) {
    task.leftNanos = workNanos;
    task.lastServedNanos = nowNanos;
    task.whenDone = whenDone;
    scheduler.ready(task.id, nowNanos);
  }

  /** Has a task work for up to 20 ms at a time, with pauses of up to 20 ms. */
  void onAndOff(Task task, Random random) {
    if (tasks.contains(task)) {
      long pause = 1 + random.nextLong(20 * MILLI);
      submit(
          task, 1 + random.nextLong(20 * MILLI), () -> after(pause, () -> onAndOff(task, random)));
    }
  }

  /** Takes from a task all work that it has. */
  void cancel(Task task) {
    task.leftNanos = 0;
    scheduler.idle(task.id);
  }

  void after(long delayNanos, Runnable action) {
    events.add(new Event(nowNanos + delayNanos, ++lastId, action));
  }

  void run(long durationNanos) {
    long end = nowNanos + durationNanos;
    int spins = 0;
    decide();
    while (true) {
      long next = Math.max(nowNanos, Math.min(Math.min(armedNanos, nextEvent()), nextDone()));
      if (next > end) {
        advance(end);
        return;
      }
      spins = next == nowNanos ? spins + 1 : 0;
      if (spins > SPIN_LIMIT) {
        throw new AssertionError("%s spins".formatted(scheduler.policy().name()));
      }
      advance(next);
      happen();
      decide();
    }
  }

  /** Returns how often the policy was asked. */
  long decisions() {
    return decisions;
  }

  /** Does something again and again, from now on. */
  void every(long periodNanos, Runnable action) {
    action.run();
    after(periodNanos, () -> every(periodNanos, action));
  }

  private void decide() {
    decisions++;
    scheduler.decide();
  }

  private void happen() {
    for (Task task : List.copyOf(tasks)) {
      if (task.isServed() && task.leftNanos < 0.5) {
        cancel(task);
        task.whenDone.run();
      }
    }
    while (nextEvent() <= nowNanos) {
      events.remove().action().run();
    }
    if (armedNanos <= nowNanos) {
      armedNanos = Decision.NEVER;
    }
  }

  private void advance(long toNanos) {
    double passed = toNanos - nowNanos;
    for (Task task : tasks) {
      if (task.isServed() && passed > 0) {
        double part = passed / servedOn(task.device);
        task.servedNanos += part;
        task.leftNanos = task.leftNanos == FOREVER ? FOREVER : Math.max(0.1, task.leftNanos - part);
        task.lastServedNanos = toNanos;
      } else if (task.ready()) {
        task.longestGapNanos = Math.max(task.longestGapNanos, toNanos - task.lastServedNanos);
      }
    }
    nowNanos = toNanos;
  }

  private long nextDone() {
    long next = FOREVER;
    for (Task task : tasks) {
      if (task.isServed() && task.leftNanos < FOREVER) {
        next = Math.min(next, nowNanos + (long) Math.ceil(task.leftNanos * servedOn(task.device)));
      }
    }
    return next;
  }

  private long nextEvent() {
    Event event = events.peek();
    return event == null ? FOREVER : event.atNanos();
  }

  private int servedOn(int device) {
    int count = 0;
    for (Task task : tasks) {
      count += task.device == device && task.isServed() ? 1 : 0;
    }
    return count;
  }

  private void arm(long atNanos) {
    armedNanos = atNanos == Decision.NEVER ? atNanos : atNanos + lateness.getAsLong();
  }

  private void order(long id, boolean run) {
    for (Task task : tasks) {
      if (task.id == id) {
        task.open = run;
      }
    }
  }
}
