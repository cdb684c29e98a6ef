package dev.xsched.bench.virtual;

import dev.xsched.bench.Machine;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.Workload;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.DeviceModels;
import dev.xsched.sim.experiment.PreemptionLatency;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Plays scenes on virtual time, at once and each time the same. The device is a model; queues,
 * policies and scheduler are the real ones.
 */
public final class SimStage implements Stage {
  private static final Map<String, String> NOT_HERE =
      Map.of(
          "4.2.1",
              "it is about PyTorch on a real device; run it with --device cuda or --device hip",
          "4.2.2",
              "it is about vendor libraries on a real device; run it with --device cuda or"
                  + " --device hip",
          "7.4.2",
              "virtual time costs no processor time; run it with --device opencl or --device cuda");

  /** A second on virtual time takes about so many seconds: measured with two programs. */
  private static final double SLOWNESS = 0.02;

  private final DeviceModel model;
  private final TaskModels tasks;

  /** Makes a stage of a model by name, or by the path of a file. */
  public SimStage(String nameOrPath) {
    model = DeviceModels.load(nameOrPath);
    tasks = new TaskModels(model);
  }

  @Override
  public String device() {
    return "sim:" + model.name();
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public Map<String, String> hardware() {
    Map<String, String> facts = new TreeMap<>(Machine.hardware());
    facts.put("device", "simulated: model of " + model.title());
    return facts;
  }

  @Override
  public Map<String, String> runtime() {
    Map<String, String> facts = new TreeMap<>(Machine.runtime());
    facts.put("driver", "none: virtual time");
    return facts;
  }

  @Override
  public Set<Level> levels() {
    return model.levels();
  }

  @Override
  public String describe(Workload workload) {
    return tasks.of(workload).describe();
  }

  @Override
  public Optional<String> cannotPlay(Scene scene) {
    if (scene.control() instanceof Control.Mps) {
      return Optional.of("no model knows MPS; measure it with --device cuda");
    }
    if (scene.parties().stream().anyMatch(p -> p.workload() instanceof Workload.TinyKernels)) {
      return Optional.of(TaskModels.NO_TINY_KERNELS);
    }
    boolean dropsUnevenly =
        scene.parties().stream()
            .anyMatch(
                p ->
                    p.pattern() instanceof Pattern.Paced(var _, var spacing, var whenBusy)
                        && whenBusy == Pattern.WhenBusy.DROP
                        && !(spacing instanceof Pattern.Spacing.Even));
    return dropsUnevenly
        ? Optional.of("only evenly spaced requests can be dropped on virtual time")
        : Optional.empty();
  }

  @Override
  public Optional<String> cannotRun(String experimentId) {
    return experimentId.startsWith("N.")
        ? Optional.of("it is about an NVIDIA GPU's own preemption; run it with --device cuda")
        : Optional.ofNullable(NOT_HERE.get(experimentId));
  }

  @Override
  public Outcome play(Scene scene) throws InterruptedException {
    return new Performance(scene, model, tasks).play();
  }

  @Override
  public long[] suspend(
      Level level, Duration command, LaunchWindow window, int times, int repetition)
      throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return PreemptionLatency.run(model, level, window, command, times, 1L + repetition)
        .toSortedArray();
  }

  @Override
  public double slowness() {
    return SLOWNESS;
  }

  @Override
  public void close() {}
}
