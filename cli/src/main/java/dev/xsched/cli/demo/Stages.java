package dev.xsched.cli.demo;

import dev.xsched.queue.Devices;
import dev.xsched.sim.DeviceModels;

/** Finds the stage for what a user typed after --device. */
final class Stages {
  private static final String SIMULATOR = "sim";

  private Stages() {}

  /**
   * Opens a stage: a model named by the user runs on virtual time, since nobody wants to wait for
   * it; everything else is a device on real time.
   */
  static Stage open(String device, Rule rule) {
    if (device.equals(SIMULATOR)) {
      return onVirtualTime(DeviceModels.DEFAULT, rule);
    }
    if (device.startsWith(SIMULATOR + ":")) {
      return onVirtualTime(device.substring(SIMULATOR.length() + 1), rule);
    }
    return new RealTimeStage(Devices.open(device), rule);
  }

  static Stage onVirtualTime(String model, Rule rule) {
    return new VirtualTimeStage(model, rule);
  }
}
