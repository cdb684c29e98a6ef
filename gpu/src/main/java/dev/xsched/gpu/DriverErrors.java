package dev.xsched.gpu;

import dev.xsched.queue.DeviceException;

/** Turns a driver's codes into messages with a remedy. The driver itself knows what they mean. */
public abstract class DriverErrors {
  /** Throws unless the code is that of success. */
  public final void check(String what, int code) {
    if (code != 0) {
      throw new DeviceException(
          "%s: %s (%s); %s".formatted(what, name(code), text(code), remedy(name(code))));
    }
  }

  public abstract String name(int code);

  protected abstract String text(int code);

  /** What to do about an error of that name. */
  protected abstract String remedy(String name);
}
