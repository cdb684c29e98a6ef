package dev.xsched.sim.experiment;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.sim.Arrivals;
import dev.xsched.sim.Client;
import dev.xsched.sim.ClientSpec;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.Simulation;
import java.time.Duration;

/**
 * Experiment 7.2.2, figure 9 bottom: foreground and background both continuous, with the same task;
 * the foreground is to have three quarters of the device.
 */
public final class Partition {
  private static final int FOREGROUND_PERCENT = 75;
  private static final int WARM_UP = 20;
  private static final int STANDALONE_TASKS = 200;

  private final DeviceModel model;
  private final Setup setup;
  private final int tasks;
  private final long seed;
  private final double standaloneNanos;

  /**
   * What one configuration gave: throughput of each side, as a part of what it has alone.
   *
   * @param contended fraction of the time in which both wanted the device
   * @param utilization fraction of the time in which the device worked for either
   */
  public record Result(
      double foreground, double background, double contended, double utilization) {}

  /**
   * Prepares the experiment: measures the throughput alone.
   *
   * @param tasks about how many tasks to measure, both sides together
   */
  public Partition(DeviceModel model, Setup setup, int tasks, long seed) {
    this.model = model;
    this.setup = setup;
    this.tasks = tasks;
    this.seed = seed;
    this.standaloneNanos = standaloneNanosPerTask(model, seed);
  }

  /** Returns how long one task takes when it has the device for itself, one after the other. */
  public static double standaloneNanosPerTask(DeviceModel model, long seed) {
    Simulation simulation = Simulation.unscheduled(model, seed);
    Client client = simulation.addClient(client(model, "alone", 100, Setup.DEFAULT, 0));
    Duration rough =
        Duration.ofNanos(model.task().deviceNanos() + model.task().hostNanos() + 1_000);
    simulation.run(rough.multipliedBy(WARM_UP));
    simulation.startMeasuring();
    simulation.run(rough.multipliedBy(STANDALONE_TASKS));
    return client.latencies().meanNanos();
  }

  /** The device's own scheduler decides. */
  public Result unscheduled() {
    return run(Simulation.unscheduled(model, seed));
  }

  /** A policy decides that knows the shares. */
  public Result scheduled(Policy policy) {
    return run(new Simulation(model, policy, setup.oneWay(), seed));
  }

  private Result run(Simulation simulation) {
    simulation.hint(Hint.TIMESLICE, setup.timeslice().toNanos() / 1_000);
    Duration task = Duration.ofNanos(Math.round(standaloneNanos));
    Client background =
        simulation.addClient(client(model, "background", 100 - FOREGROUND_PERCENT, setup, 1));
    // One after the other, as in the paper: two that start at once would stay in step for long.
    simulation.run(task.multipliedBy(3).dividedBy(2));
    Client foreground =
        simulation.addClient(client(model, "foreground", FOREGROUND_PERCENT, setup, 0));
    simulation.run(task.multipliedBy(WARM_UP));
    simulation.startMeasuring();
    simulation.run(task.multipliedBy(tasks));
    double standaloneTasks = simulation.measuredNanos() / standaloneNanos;
    double measured = simulation.measuredNanos();
    return new Result(
        foreground.latencies().count() / standaloneTasks,
        background.latencies().count() / standaloneTasks,
        simulation.contendedNanos() / measured,
        (foreground.busyNanos() + background.busyNanos()) / measured);
  }

  private static ClientSpec client(
      DeviceModel model, String name, int percent, Setup setup, int side) {
    LaunchWindow window = side == 0 ? setup.foregroundWindow() : setup.backgroundWindow();
    return new ClientSpec(
        name,
        model.task(),
        new Arrivals.Continuous(),
        Hints.DEFAULT.with(Hint.UTILIZATION, percent, Hints.Source.APPLICATION),
        setup.level(),
        window);
  }
}
