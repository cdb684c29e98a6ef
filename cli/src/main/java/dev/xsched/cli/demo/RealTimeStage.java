package dev.xsched.cli.demo;

import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Outcome.PartyOutcome;
import dev.xsched.bench.scene.Requests;
import dev.xsched.cli.demo.Performer.Window;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** The demo on a device that takes real time, with a real thread for each of the two tasks. */
final class RealTimeStage implements Stage {
  /** Long enough for the JIT compiler and the adaptive window to settle. */
  private static final Duration WARM_UP = Duration.ofMillis(500);

  private static final Duration TICK = Duration.ofMillis(200);

  // A request keeps the device busy for 10 ms of every 50 ms: a fifth, as in Fig. 9 of the paper,
  // and
  // long against the milliseconds by which a virtual machine wakes its threads late. A background
  // task takes 10 ms, too, in commands that are short as those of most networks are.
  private static final int REQUEST_COMMANDS = 10;
  private static final Duration REQUEST_COMMAND = Duration.ofNanos(800_000);
  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final int TASK_COMMANDS = 50;
  private static final Duration TASK_COMMAND = Duration.ofNanos(200_000);

  private final Device device;
  private final Rule rule;

  RealTimeStage(Device device, Rule rule) {
    this.device = device;
    this.rule = rule;
  }

  @Override
  public String device() {
    return device.name() + (device.simulated() ? ", in real time" : "");
  }

  @Override
  public boolean simulated() {
    return device.simulated();
  }

  @Override
  public Workload workload() {
    return new Workload(
        PERIOD,
        "a request every 50 ms, each of 10 commands of about 1 ms",
        "tasks of 50 commands of about 0.2 ms, one after another without a pause");
  }

  @Override
  public String simulation() {
    return device.simulated()
        ? "The device is a model: its commands take the time, and its own scheduler acts the way,"
            + " that was measured on a real one. They really take that time. The queues, the policy"
            + " and the scheduler are the ones that real devices get."
        : "Nothing: the commands ran on the device.";
  }

  @Override
  public long defaultSeconds() {
    return 6;
  }

  @Override
  public Duration waiting(Duration measured) {
    return measured.plus(WARM_UP);
  }

  @Override
  public Outcome run(Configuration configuration, Duration measured, Runnable tick)
      throws InterruptedException {
    return switch (configuration) {
      case STANDALONE -> {
        try (Route route = Route.Native.on(device)) {
          yield perform(measured, tick, foreground(route));
        }
      }
      case BACKGROUND -> {
        try (Route route = Route.Native.on(device)) {
          yield perform(measured, tick, background(route));
        }
      }
      case NATIVE -> {
        try (Route first = Route.Native.on(device);
            Route second = Route.Native.on(device)) {
          yield perform(measured, tick, foreground(first), background(second));
        }
      }
      case SCHEDULED -> {
        try (LocalScheduler scheduler = LocalScheduler.start(rule.policy());
            Route first = scheduled(scheduler, "foreground", rule.priority());
            Route second = scheduled(scheduler, "background", Hint.PRIORITY.defaultValue())) {
          yield perform(measured, tick, foreground(first), background(second));
        }
      }
    };
  }

  private Route scheduled(LocalScheduler scheduler, String name, long priority) {
    XQueue queue = scheduler.newQueue(device, name);
    scheduler.hint(queue, Hint.PRIORITY, priority);
    return new Route.Scheduled(scheduler, queue);
  }

  private ForegroundTask foreground(Route route) {
    return new ForegroundTask(route, () -> commands(REQUEST_COMMANDS, REQUEST_COMMAND), PERIOD);
  }

  private BackgroundTask background(Route route) {
    return new BackgroundTask(route, () -> commands(TASK_COMMANDS, TASK_COMMAND));
  }

  private List<Command> commands(int count, Duration each) {
    return Stream.generate(() -> device.delay(each)).limit(count).toList();
  }

  private static Outcome perform(Duration measured, Runnable tick, Performer... performers)
      throws InterruptedException {
    long from = System.nanoTime() + WARM_UP.toNanos();
    Window window = new Window(from, from + measured.toNanos());
    try (var threads =
        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().name("xsched-demo-", 0).factory())) {
      List<Future<?>> ends = new ArrayList<>();
      for (Performer performer : performers) {
        ends.add(
            threads.submit(
                () -> {
                  performer.perform(window);
                  return null;
                }));
      }
      while (System.nanoTime() < window.toNanos()) {
        Thread.sleep(TICK);
        tick.run();
      }
      for (Future<?> end : ends) {
        end.get();
      }
      return outcome(List.of(performers), window);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a task of the demo failed", e.getCause());
    }
  }

  private static Outcome outcome(List<Performer> performers, Window window) {
    List<Intervals> wants = performers.stream().map(Performer::wants).toList();
    return new Outcome(
        performers.stream().map(p -> party(p, window)).toList(),
        window.nanos() / 1e9,
        (double) Intervals.ofTwo(wants) / window.nanos(),
        DeviceLoad.UNKNOWN,
        OptionalDouble.empty(),
        performers.stream().flatMap(p -> p.notes().stream()).toList());
  }

  private static PartyOutcome party(Performer performer, Window window) {
    Requests requests = performer.requests();
    return new PartyOutcome(
        performer.name(),
        requests,
        requests.count(),
        (double) performer.wants().length() / window.nanos(),
        OptionalDouble.empty());
  }

  @Override
  public void close() {
    device.close();
  }
}
