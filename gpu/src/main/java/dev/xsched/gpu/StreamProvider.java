package dev.xsched.gpu;

import dev.xsched.queue.DeviceException;
import dev.xsched.queue.DeviceProvider;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Opens devices of CUDA or HIP by their number: {@code cuda} for the first one, {@code cuda:1} for
 * the second.
 */
public abstract class StreamProvider<D extends StreamDriver> implements DeviceProvider {
  /** Above all others: what a device can do, it can do under its maker's own interface. */
  private static final int RANK = 100;

  private final String platform;
  private final String lists;
  private final Lazy<D> driver;

  /**
   * Makes one that has loaded nothing yet.
   *
   * @param platform "CUDA"
   * @param lists the command that lists devices, for messages
   */
  protected StreamProvider(String platform, String lists, Supplier<D> loader) {
    this.platform = platform;
    this.lists = lists;
    this.driver = new Lazy<>(loader);
  }

  @Override
  public final String kind() {
    return platform.toLowerCase(Locale.ROOT);
  }

  @Override
  public final String usage() {
    return kind() + "[:N]";
  }

  @Override
  public final int rank() {
    try {
      return driver.get().deviceCount() > 0 ? RANK : 0;
    } catch (DeviceException _) {
      return 0; // No driver, or one that does not work. Who asks for it by name hears why.
    }
  }

  /** The driver, after seeing that it has a device of that number. */
  protected final D driverWith(int number, String typed) {
    int count = driver.get().deviceCount();
    if (number < 0 || number >= count) {
      throw new IllegalArgumentException(
          count == 0
              ? "%s finds no device; %s lists what is found".formatted(platform, lists)
              : "there is no %s device '%s'; choose %s:0 to %s:%d"
                  .formatted(platform, typed, kind(), kind(), count - 1));
    }
    return driver.get();
  }

  /** The number that was typed; -1 if it is none. */
  protected static int number(String detail) {
    try {
      return detail.isEmpty() ? 0 : Integer.parseInt(detail);
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
