package dev.xsched.cli.demo;

import dev.xsched.cli.report.Samples;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.experiment.FixedPriority;
import dev.xsched.sim.experiment.Partition;
import dev.xsched.sim.experiment.Setup;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/** The demo on a model on virtual time: at once, and each time the same. */
final class VirtualTimeStage implements Stage {
  private static final long SEED = 1;

  /** So many requests show the tail, and take about a second to simulate. */
  private static final int DEFAULT_REQUESTS = 500;

  /**
   * Our own defaults, not the paper's. The way to the scheduler takes as long as it takes to wake a
   * thread on a virtual machine with two cores: 11 to 24 us at the median.
   */
  private static final Setup SETUP =
      new Setup(
          LaunchWindow.DEFAULT,
          LaunchWindow.DEFAULT,
          Level.INTERRUPT,
          Duration.ofMillis(5),
          Duration.ofNanos(20_000));

  private final DeviceModel model;
  private final Rule rule;
  private final double taskNanos;
  private final Workload workload;

  VirtualTimeStage(DeviceModel model, Rule rule) {
    this.model = model;
    this.rule = rule;
    this.taskNanos = Partition.standaloneNanosPerTask(model, SEED);
    this.workload =
        new Workload(
            new FixedPriority(model, SETUP, DEFAULT_REQUESTS, SEED).period(),
            model.task().title() + " at a fifth of its peak rate",
            model.task().title() + ", one after another without a pause");
  }

  @Override
  public String device() {
    return "virtual XPU %s, on virtual time".formatted(model.name());
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public Workload workload() {
    return workload;
  }

  @Override
  public String simulation() {
    return "The device (%s) and time itself: its commands take the time, and its own scheduler acts"
            .formatted(model.title())
        + " the way, that was measured on the real one. The queues, the policy and the scheduler"
        + " are the ones that real devices get.";
  }

  @Override
  public long defaultSeconds() {
    return Math.ceilDiv(DEFAULT_REQUESTS * workload.period().toNanos(), 1_000_000_000L);
  }

  @Override
  public Duration waiting(Duration measured) {
    return Duration.ZERO;
  }

  @Override
  public double backgroundAlone(Duration measured, Runnable tick) {
    return 1e9 / taskNanos;
  }

  @Override
  public Measurement run(Configuration configuration, Duration measured, Runnable tick) {
    int requests = (int) (measured.toNanos() / workload.period().toNanos());
    FixedPriority experiment = new FixedPriority(model, SETUP, requests, SEED);
    FixedPriority.Result result =
        switch (configuration) {
          case STANDALONE -> experiment.standalone();
          case NATIVE -> experiment.unscheduled();
          case SCHEDULED -> experiment.scheduled(rule.policy(), rule.priority());
        };
    return new Measurement(
        configuration,
        Samples.ofNanosInMillis(result.latencies().toSortedArray()),
        result.backgroundPerSecond(),
        configuration == Configuration.STANDALONE
            ? OptionalDouble.empty()
            : OptionalDouble.of(result.contended()),
        Optional.empty());
  }

  @Override
  public void close() {}
}
