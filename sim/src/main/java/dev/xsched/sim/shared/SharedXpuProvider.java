package dev.xsched.sim.shared;

import dev.xsched.queue.Device;
import dev.xsched.queue.DeviceProvider;
import java.nio.file.Path;

/** Opens the virtual XPU that processes share: {@code shared:/tmp/xpu}. */
public final class SharedXpuProvider implements DeviceProvider {
  @Override
  public String kind() {
    return "shared";
  }

  @Override
  public String usage() {
    return "shared:PATH";
  }

  /** Never the best choice: it needs a path. */
  @Override
  public int rank() {
    return 0;
  }

  @Override
  public Device open(String detail) {
    if (detail.isEmpty()) {
      throw new IllegalArgumentException(
          "a shared device needs a path that all its programs name; give shared:PATH");
    }
    return SharedXpu.open(Path.of(detail));
  }
}
