package dev.xsched.policy.builtin;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.sim.Arrivals;
import dev.xsched.sim.Client;
import dev.xsched.sim.ClientSpec;
import dev.xsched.sim.Cost;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.NativeScheduler;
import dev.xsched.sim.Simulation;
import dev.xsched.sim.TaskModel;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A foreground that is bound by its launching beside a continuous background, on some device: drawn
 * from a seed, and played under a policy.
 *
 * @param ratio the goal, against the P99 of the foreground alone
 * @param asTime whether the goal is given as a time, else as the ratio
 * @param slices whether the device gives the background its share by time slices
 */
record Workload(
    long seed,
    DeviceModel device,
    TaskModel foreground,
    TaskModel background,
    Duration period,
    LaunchWindow window,
    double ratio,
    boolean asTime,
    boolean slices) {
  private static final int REQUESTS = 200;
  private static final int WARM_UP = 20;

  /** Requests for learning what alone is, and for finding the share. */
  private static final int LEARNING = 250;

  private static final Duration ONE_WAY = Duration.ofNanos(20_000);
  private static final Duration LINGER = Duration.ofNanos(200_000);

  private static final Hints ANY_TIME =
      Hints.DEFAULT.with(Hint.SLO_P99, Hint.UNSET - 1, Hints.Source.APPLICATION);

  private static final long SWITCH_NANOS = 150_000;
  private static final Duration SLICE_ORDER = Duration.ofNanos(300_000);

  /** What came out. */
  record Outcome(long p99Nanos, double backgroundPerSecond) {}

  static Workload random(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    long command = Math.round(log(random, 30_000, 200_000));
    int commands = random.nextInt(8, 31);
    long gap = command + random.nextLong(20_000, 190_000);
    TaskModel foreground =
        new TaskModel(
            "foreground",
            random.nextLong(10_000, 100_000),
            random.nextInt(3) == 0 ? 0 : random.nextDouble(0.05),
            List.of(new TaskModel.Run(commands, command)),
            gap);
    TaskModel background =
        new TaskModel(
            "background",
            random.nextLong(0, 100_000),
            random.nextDouble(0.05),
            List.of(
                new TaskModel.Run(
                    random.nextInt(4, 32), Math.round(log(random, 100_000, 1_000_000)))));
    double load = random.nextDouble(0.2, 0.8);
    double alone = foreground.hostNanos() + commands * (double) gap;
    return new Workload(
        seed,
        device(random),
        foreground,
        background,
        Duration.ofNanos(Math.round(alone / load)),
        random.nextBoolean() ? LaunchWindow.DEFAULT : new LaunchWindow.Fixed(4, 2),
        random.nextBoolean() ? random.nextDouble(1.03, 1.3) : random.nextDouble(1.3, 3),
        random.nextBoolean(),
        false);
  }

  /** The same on a device with time slices, where a switch costs what it may on a large GPU. */
  static Workload randomWithSlices(long seed) {
    Workload any = random(seed);
    NativeScheduler turns = new NativeScheduler.RoundRobin(2_000_000, SWITCH_NANOS, true);
    DeviceModel device = device(new SplittableRandom(seed), turns);
    return new Workload(
        seed,
        device,
        any.foreground,
        any.background,
        any.period,
        any.window,
        any.ratio,
        any.asTime,
        true);
  }

  /**
   * The same with a foreground that is bound by a host that is busy with other things, too, as
   * PyTorch is in eager mode.
   */
  static Workload noisy(long seed, double jitter) {
    SplittableRandom random = new SplittableRandom(seed);
    int commands = random.nextInt(100, 300);
    long gap = random.nextLong(25_000, 60_000);
    TaskModel foreground =
        new TaskModel(
            "foreground",
            0,
            jitter,
            List.of(new TaskModel.Run(commands, gap / random.nextInt(2, 5))),
            gap);
    TaskModel background =
        new TaskModel("background", 0, 0, List.of(new TaskModel.Run(160, 40_000)));
    NativeScheduler turns = new NativeScheduler.RoundRobin(2_000_000, SWITCH_NANOS, true);
    double typical = commands * gap * (1 + jitter);
    return new Workload(
        seed,
        device(random, turns),
        foreground,
        background,
        Duration.ofNanos(Math.round(typical * random.nextDouble(1.5, 3))),
        new LaunchWindow.Fixed(100_000, 1),
        1.05,
        false,
        true);
  }

  private static DeviceModel device(SplittableRandom random) {
    NativeScheduler scheduler =
        switch (random.nextInt(3)) {
          case 0 -> new NativeScheduler.Fifo();
          case 1 ->
              new NativeScheduler.RoundRobin(
                  random.nextLong(200_000, 2_000_000), random.nextLong(100_000), true);
          default -> new NativeScheduler.Sharing(random.nextDouble(1, 1.3));
        };
    return device(random, scheduler);
  }

  private static DeviceModel device(SplittableRandom random, NativeScheduler scheduler) {
    return new DeviceModel(
        "random",
        "a random device",
        Set.of(Level.BLOCK),
        scheduler,
        scheduler instanceof NativeScheduler.Sharing ? 4 : 1,
        random.nextLong(1_000, 6_000),
        random.nextLong(2_000, 15_000),
        1.0,
        Cost.NONE,
        Cost.NONE,
        Cost.NONE,
        new TaskModel("none", 0, 0, List.of(new TaskModel.Run(1, 1))));
  }

  private static double log(SplittableRandom random, double from, double to) {
    return from * Math.pow(to / from, random.nextDouble());
  }

  /** The P99 of the foreground with nobody beside it. */
  long aloneNanos() {
    return play(new HighestPriorityFirst(), Hints.DEFAULT, false, WARM_UP, 1).p99Nanos();
  }

  /** Strict priority, the worse of two measurements: so that luck makes no goal feasible. */
  Outcome strict() {
    if (slices) {
      return play(new ServiceLevelObjective(Pace.fixed(0)), ANY_TIME, true, WARM_UP, 2);
    }
    return play(
        new HighestPriorityFirst(),
        Hints.DEFAULT.with(Hint.PRIORITY, 1, Hints.Source.APPLICATION),
        true,
        WARM_UP,
        2);
  }

  Outcome withGoal(long goalNanos) {
    // Nobody outside sees what a request does before it reaches the device. Where a program tells
    // late that it is idle, that hides it.
    long unseen = slices ? foreground.hostNanos() : 0;
    Hints hints =
        asTime
            ? Hints.DEFAULT.with(
                Hint.SLO_P99, (goalNanos - unseen) / 1_000, Hints.Source.APPLICATION)
            : Hints.DEFAULT.with(Hint.SLO_RATIO, (long) (ratio * 1_000), Hints.Source.APPLICATION);
    return play(new ServiceLevelObjective(), hints, true, LEARNING, 1);
  }

  /** With a share of the background that stays as it is. */
  Outcome withShare(double share) {
    return play(new ServiceLevelObjective(Pace.fixed(share)), ANY_TIME, true, WARM_UP, 1);
  }

  private Outcome play(Policy policy, Hints hints, boolean beside, int warmUp, int measurements) {
    Simulation simulation = new Simulation(device, policy, ONE_WAY, seed);
    if (slices) {
      simulation.slice(SLICE_ORDER); // Who waits for its device then tells so at once.
    } else {
      simulation.linger(LINGER);
    }
    Client service =
        simulation.addClient(
            spec("foreground", foreground, new Arrivals.Periodic(period, 0.2), hints));
    Client rest =
        beside
            ? simulation.addClient(
                spec("background", background, new Arrivals.Continuous(), Hints.DEFAULT))
            : null;
    simulation.run(period.multipliedBy(warmUp));
    long p99 = 0;
    double perSecond = 0;
    for (int i = 0; i < measurements; i++) {
      simulation.startMeasuring();
      simulation.run(period.multipliedBy(REQUESTS));
      p99 = Math.max(p99, service.latencies().percentileNanos(0.99));
      int done = rest == null ? 0 : rest.latencies().count();
      perSecond += done * 1e9 / simulation.measuredNanos() / measurements;
    }
    return new Outcome(p99, perSecond);
  }

  private ClientSpec spec(String name, TaskModel task, Arrivals arrivals, Hints hints) {
    return new ClientSpec(name, task, arrivals, hints, Level.BLOCK, window);
  }
}
