package dev.xsched.bench.run;

import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.virtual.SimStage;
import dev.xsched.bench.worker.Installation;
import dev.xsched.bench.worker.Kind;
import dev.xsched.bench.worker.WorkerStage;
import dev.xsched.sim.DeviceModels;
import java.util.ArrayList;
import java.util.List;

/** Opens a stage by the name of its device. */
public final class Stages {
  private static final String SIM = "sim";

  private Stages() {}

  /**
   * Opens a stage. Whether there is such a device shows when it is prepared.
   *
   * @throws IllegalArgumentException in one line that says what can be named
   */
  public static Stage open(String device) throws StageException {
    if (device.equals(SIM)) {
      return new SimStage(DeviceModels.DEFAULT);
    }
    if (device.startsWith("sim:")) {
      return new SimStage(device.substring("sim:".length()));
    }
    for (Kind kind : Kind.values()) {
      if (device.equals(kind.label())) {
        return new WorkerStage(kind, Installation.here());
      }
    }
    throw new IllegalArgumentException(
        "unknown device '%s'; choose opencl, cuda, hip, sim, or sim:MODEL with one of %s"
            .formatted(device, String.join(", ", DeviceModels.names())));
  }

  /** Returns the kinds of device on which an experiment makes sense. */
  public static List<String> kindsFor(String experimentId) {
    List<String> kinds = new ArrayList<>();
    try (Stage sim = new SimStage(DeviceModels.DEFAULT)) {
      if (sim.cannotRun(experimentId).isEmpty()) {
        kinds.add(SIM);
      }
    }
    for (Kind kind : Kind.values()) {
      if (kind.cannotRun(experimentId).isEmpty()) {
        kinds.add(kind.label());
      }
    }
    return kinds;
  }
}
