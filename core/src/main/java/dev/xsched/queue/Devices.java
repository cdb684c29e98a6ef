package dev.xsched.queue;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Finds devices by the name that users type. */
public final class Devices {
  private Devices() {}

  /**
   * Opens a device.
   *
   * @param name {@code auto} for the best one present, or {@code KIND[:DETAIL]}
   */
  public static Device open(String name) {
    List<DeviceProvider> providers =
        ServiceLoader.load(DeviceProvider.class).stream().map(ServiceLoader.Provider::get).toList();
    if (name.equals("auto")) {
      return providers.stream()
          .filter(p -> p.rank() > 0)
          .max(Comparator.comparingInt(DeviceProvider::rank))
          .orElseThrow(() -> new IllegalStateException("no device provider is on the class path"))
          .open("");
    }
    int colon = name.indexOf(':');
    String kind = colon < 0 ? name : name.substring(0, colon);
    return providers.stream()
        .filter(p -> p.kind().equals(kind))
        .findFirst()
        .orElseThrow(() -> unknown(name, providers))
        .open(colon < 0 ? "" : name.substring(colon + 1));
  }

  private static IllegalArgumentException unknown(String name, List<DeviceProvider> providers) {
    return new IllegalArgumentException(
        "unknown device '%s'; choose auto, %s"
            .formatted(
                name,
                providers.stream().map(DeviceProvider::usage).collect(Collectors.joining(", "))));
  }
}
