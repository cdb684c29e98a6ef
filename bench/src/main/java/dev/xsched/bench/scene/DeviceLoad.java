package dev.xsched.bench.scene;

import java.util.OptionalDouble;

/**
 * What a device did during a scene, as far as it tells.
 *
 * @param busy fraction of the time in which it worked
 * @param megahertz its clock while it worked, the median
 * @param watts what it drew while it worked, the median
 */
public record DeviceLoad(OptionalDouble busy, OptionalDouble megahertz, OptionalDouble watts) {
  public static final DeviceLoad UNKNOWN = ofBusy(OptionalDouble.empty());

  /** Of one that tells no more than that. */
  public static DeviceLoad ofBusy(OptionalDouble busy) {
    return new DeviceLoad(busy, OptionalDouble.empty(), OptionalDouble.empty());
  }
}
