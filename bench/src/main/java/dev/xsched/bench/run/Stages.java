package dev.xsched.bench.run;

import dev.xsched.bench.scene.Stage;
import dev.xsched.bench.virtual.SimStage;
import dev.xsched.sim.DeviceModels;
import java.util.List;

/** Opens a stage by the name of its device. */
public final class Stages {
  private static final String SIM = "sim";

  private Stages() {}

  /**
   * Opens a stage.
   *
   * @throws IllegalArgumentException in one line that says what can be named
   */
  public static Stage open(String device) {
    if (device.equals(SIM)) {
      return new SimStage(DeviceModels.DEFAULT);
    }
    if (device.startsWith("sim:")) {
      return new SimStage(device.substring("sim:".length()));
    }
    throw new IllegalArgumentException(
        "unknown device '%s'; choose sim or sim:MODEL with one of %s"
            .formatted(device, String.join(", ", DeviceModels.names())));
  }

  /** Returns the kinds of device on which an experiment makes sense. */
  public static List<String> kindsFor(String experimentId) {
    try (Stage sim = open(SIM)) {
      return sim.cannotRun(experimentId).isEmpty() ? List.of(SIM) : List.of();
    }
  }
}
