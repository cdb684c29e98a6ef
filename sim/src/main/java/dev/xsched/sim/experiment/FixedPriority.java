package dev.xsched.sim.experiment;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.sim.Arrivals;
import dev.xsched.sim.Client;
import dev.xsched.sim.ClientSpec;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.Samples;
import dev.xsched.sim.Simulation;
import java.time.Duration;

/**
 * Experiment 7.2.1, figure 9 top: a foreground of high priority at a fifth of its peak rate beside
 * a continuous background of low priority, both with the same task.
 */
public final class FixedPriority {
  private static final double LOAD = 0.2;

  /** The paper's clients sleep for the mean interval plus or minus a half. */
  private static final double SPREAD = 0.5;

  private static final int WARM_UP = 10;

  private final DeviceModel model;
  private final Setup setup;
  private final int requests;
  private final long seed;
  private final double peakNanos;

  /**
   * What one configuration gave.
   *
   * @param latencies of the foreground's requests
   * @param backgroundPerSecond finished tasks of the background
   * @param contended fraction of the time in which both wanted the device
   */
  public record Result(Samples latencies, double backgroundPerSecond, double contended) {
    public double p50Millis() {
      return latencies.percentileNanos(0.50) / 1e6;
    }

    public double p99Millis() {
      return latencies.percentileNanos(0.99) / 1e6;
    }
  }

  /**
   * Prepares the experiment: measures the peak rate.
   *
   * @param requests about how many requests of the foreground to measure
   */
  public FixedPriority(DeviceModel model, Setup setup, int requests, long seed) {
    this.model = model;
    this.setup = setup;
    this.requests = requests;
    this.seed = seed;
    this.peakNanos = Partition.standaloneNanosPerTask(model, seed);
  }

  /** The mean time between two requests of the foreground. */
  public Duration period() {
    return Duration.ofNanos(Math.round(peakNanos / LOAD));
  }

  /** The foreground alone on the device. */
  public Result standalone() {
    return run(Simulation.unscheduled(model, seed), false, Hints.DEFAULT);
  }

  /** Both, and the device's own scheduler decides. */
  public Result unscheduled() {
    return run(Simulation.unscheduled(model, seed), true, Hints.DEFAULT);
  }

  /** Both, and a policy decides that knows the foreground's priority; the background has 0. */
  public Result scheduled(Policy policy, long priority) {
    Hints hints = Hints.DEFAULT.with(Hint.PRIORITY, priority, Hints.Source.APPLICATION);
    return run(new Simulation(model, policy, setup.oneWay(), seed), true, hints);
  }

  private Result run(Simulation simulation, boolean withBackground, Hints hints) {
    Duration period = period();
    // First, so that its requests come at the same times without the background.
    Client foreground =
        simulation.addClient(
            new ClientSpec(
                "foreground",
                model.task(),
                new Arrivals.Periodic(period, SPREAD),
                hints,
                setup.level(),
                setup.foregroundWindow()));
    Client background = null;
    if (withBackground) {
      background =
          simulation.addClient(
              new ClientSpec(
                  "background",
                  model.task(),
                  new Arrivals.Continuous(),
                  Hints.DEFAULT,
                  setup.level(),
                  setup.backgroundWindow()));
    }
    simulation.run(period.multipliedBy(WARM_UP));
    simulation.startMeasuring();
    simulation.run(period.multipliedBy(requests));
    double seconds = simulation.measuredNanos() / 1e9;
    return new Result(
        foreground.latencies(),
        background == null ? 0 : background.latencies().count() / seconds,
        simulation.contendedNanos() / 1e9 / seconds);
  }
}
