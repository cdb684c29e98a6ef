package dev.xsched.queue;

/** A device failed to execute a command. */
public final class DeviceException extends RuntimeException {
  public DeviceException(String message, Throwable cause) {
    super(message, cause);
  }
}
