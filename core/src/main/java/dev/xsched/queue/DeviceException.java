package dev.xsched.queue;

/** A device is not there, or failed to do something. */
public final class DeviceException extends RuntimeException {
  public DeviceException(String message) {
    super(message);
  }

  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
