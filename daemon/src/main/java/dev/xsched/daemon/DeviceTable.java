package dev.xsched.daemon;

import dev.xsched.daemon.api.DaemonState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gives each device that some queue feeds a small number, by the text that all programs know it by.
 * A number is free again when its last queue has gone, so nonsense cannot fill the table.
 */
final class DeviceTable {
  private final List<@Nullable Device> byIndex = new ArrayList<>();
  private final Map<String, Device> byName = new HashMap<>();

  private static final class Device {
    final int index;
    final String name;
    int queues;

    Device(int index, String name) {
      this.index = index;
      this.name = name;
    }
  }

  /** Returns the number of a device for one more queue. */
  int enter(String name) {
    Device device = byName.computeIfAbsent(name, this::add);
    device.queues++;
    return device.index;
  }

  /** A queue of this device has gone. */
  void leave(int index) {
    Device device = byIndex.get(index);
    if (device != null && --device.queues == 0) {
      byIndex.set(index, null);
      byName.remove(device.name);
    }
  }

  /** One more than the largest number in use. */
  int size() {
    return byIndex.size();
  }

  List<DaemonState.DeviceState> state(IntFunction<@Nullable Integer> ceilingOf) {
    List<DaemonState.DeviceState> all = new ArrayList<>();
    for (Device device : byIndex) {
      if (device != null) {
        all.add(
            new DaemonState.DeviceState(device.index, device.name, ceilingOf.apply(device.index)));
      }
    }
    return all;
  }

  private Device add(String name) {
    int index = byIndex.indexOf(null);
    if (index < 0) {
      index = byIndex.size();
      byIndex.add(null);
    }
    Device device = new Device(index, name);
    byIndex.set(index, device);
    return device;
  }
}
