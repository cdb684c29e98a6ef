package dev.xsched.queue;

/**
 * Opens the devices of one kind. Named in {@code
 * META-INF/services/dev.xsched.queue.DeviceProvider}; adding a kind of device touches nothing else.
 */
public interface DeviceProvider {
  /** The word users type before the colon, as in {@code sim:gv100}. */
  String kind();

  /** What may be typed, for messages: {@code sim[:MODEL]}. */
  String usage();

  /** Whether such a device is present; the higher rank wins under {@code auto}, 0 means absent. */
  int rank();

  /**
   * Opens a device.
   *
   * @param detail what the user wrote after the colon, or the empty string
   * @throws IllegalArgumentException with the valid choices, if there is no such device
   */
  Device open(String detail);
}
