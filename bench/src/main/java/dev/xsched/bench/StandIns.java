package dev.xsched.bench;

import java.util.Map;

/** Libraries that stand in for a driver in tests: what runs on them proves nothing of a device. */
public final class StandIns {
  /** What every record of such a run says. */
  public static final String NOTE = "stand-in, no GPU";

  private StandIns() {}

  /** By the name that the device gives itself. */
  public static boolean isOne(Map<String, String> hardware) {
    return hardware.getOrDefault("device", "").startsWith("Stand-in");
  }
}
