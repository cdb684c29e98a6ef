package dev.xsched.gpu;

import java.util.HexFormat;

/** The text that names one device in every program that uses it, in Java and in C. */
public final class DeviceKey {
  private DeviceKey() {}

  /** The key of a device of HIP that has none. */
  public static String ofHipPciBusId(String busId) {
    return "hip:" + busId;
  }

  /** The key of a device that has a UUID, which is the same under CUDA and OpenCL. */
  public static String ofUuid(byte[] uuid) {
    if (uuid.length != 16) {
      throw new IllegalArgumentException("a UUID has 16 bytes, not " + uuid.length);
    }
    String hex = HexFormat.of().formatHex(uuid);
    return "gpu:"
        + String.join(
            "-",
            hex.substring(0, 8),
            hex.substring(8, 12),
            hex.substring(12, 16),
            hex.substring(16, 20),
            hex.substring(20));
  }
}
