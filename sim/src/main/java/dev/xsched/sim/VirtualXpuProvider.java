package dev.xsched.sim;

import dev.xsched.queue.Device;
import dev.xsched.queue.DeviceProvider;

/** Opens the virtual XPU on real time: {@code sim}, {@code sim:mi50}, {@code sim:my/model.toml}. */
public final class VirtualXpuProvider implements DeviceProvider {
  @Override
  public String kind() {
    return "sim";
  }

  @Override
  public String usage() {
    return "sim[:MODEL]";
  }

  /** Always present, and the last choice of those that are accelerators. */
  @Override
  public int rank() {
    return 10;
  }

  @Override
  public Device open(String detail) {
    return VirtualXpu.realTime(DeviceModels.load(detail.isEmpty() ? DeviceModels.DEFAULT : detail));
  }
}
