package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.virtual.SimStage;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.DeviceModels;
import dev.xsched.sim.experiment.Partition;
import java.time.Duration;

/** The demo on a model on virtual time: at once, and each time the same. */
final class VirtualTimeStage implements Stage {
  private static final long SEED = 1;

  /** So many requests show the tail, and take about a second to simulate. */
  private static final int DEFAULT_REQUESTS = 500;

  private final SimStage stage;
  private final DeviceModel model;
  private final Rule rule;
  private final Workload workload;

  VirtualTimeStage(String nameOrPath, Rule rule) {
    this.stage = new SimStage(nameOrPath);
    this.model = DeviceModels.load(nameOrPath);
    this.rule = rule;
    this.workload =
        new Workload(
            FixedPriority.period(1e9 / Partition.standaloneNanosPerTask(model, SEED)),
            model.task().title() + " at a fifth of its peak rate",
            model.task().title() + ", one after another without a pause");
  }

  @Override
  public String device() {
    return "virtual XPU %s, on virtual time".formatted(model.name());
  }

  @Override
  public String recordedDevice() {
    return stage.device();
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
  public Outcome run(Configuration configuration, Duration measured, Runnable tick)
      throws InterruptedException {
    Scene scene =
        FixedPriority.scenes(
                workload.period(),
                Extent.QUICK.warmUp(workload.period()),
                measured,
                Control.Scheduled.by(rule.policy().name()),
                rule.priority())
            .stream()
            .filter(s -> s.label().equals(configuration.scene()))
            .findFirst()
            .orElseThrow();
    return stage.play(scene);
  }

  @Override
  public void close() {
    stage.close();
  }
}
