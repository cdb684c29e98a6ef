package dev.xsched.opencl;

import dev.xsched.gpu.DeviceKey;
import dev.xsched.queue.DeviceException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device that OpenCL found.
 *
 * @param name as its driver calls it
 * @param key the same in every program that uses it
 */
record Listing(MemorySegment device, String name, Kind kind, String key) {
  /** Better ones last. */
  enum Kind {
    CPU,
    ACCELERATOR,
    GPU
  }

  /** Room for a name in the control block, without the zero at its end. */
  private static final int KEY_BYTES = 63;

  private static final long TYPE_GPU = 4;
  private static final long TYPE_ACCELERATOR = 8;

  /** All devices of all platforms, in OpenCL's order. */
  static List<Listing> all(OpenCl cl) {
    List<Listing> all = new ArrayList<>();
    for (MemorySegment platform : cl.platforms()) {
      Map<String, Integer> seen = new HashMap<>();
      for (MemorySegment device : cl.devices(platform)) {
        String name = Infos.text(cl.deviceInfo(device, OpenCl.DEVICE_NAME));
        int earlier = seen.merge(name, 1, Integer::sum) - 1;
        all.add(new Listing(device, name, kindOf(cl, device), key(cl, device, name, earlier)));
      }
    }
    return all;
  }

  /** The one to take if nobody says which. */
  static Optional<Listing> best(List<Listing> all) {
    // The first of the best kind: max would give the last.
    return all.stream().sorted(Comparator.comparing(Listing::kind).reversed()).findFirst();
  }

  private static Kind kindOf(OpenCl cl, MemorySegment device) {
    long type = Infos.number(cl.deviceInfo(device, OpenCl.DEVICE_TYPE));
    if ((type & TYPE_GPU) != 0) {
      return Kind.GPU;
    }
    return (type & TYPE_ACCELERATOR) != 0 ? Kind.ACCELERATOR : Kind.CPU;
  }

  private static String key(OpenCl cl, MemorySegment device, String name, int earlier) {
    try {
      return DeviceKey.ofUuid(cl.deviceInfo(device, OpenCl.DEVICE_UUID));
    } catch (DeviceException _) {
      return keyOfName(name, earlier); // Few drivers have the extension.
    }
  }

  /**
   * The key of a device without a UUID.
   *
   * @param earlier how many devices of that name its platform lists before
   */
  static String keyOfName(String name, int earlier) {
    String suffix = earlier == 0 ? "" : "#" + earlier;
    byte[] bytes = ("opencl:" + name).getBytes(StandardCharsets.UTF_8);
    int room = Math.min(bytes.length, KEY_BYTES - suffix.length());
    while (room < bytes.length && (bytes[room] & 0xC0) == 0x80) {
      room--; // Not in the middle of a character.
    }
    return new String(Arrays.copyOf(bytes, room), StandardCharsets.UTF_8) + suffix;
  }
}
