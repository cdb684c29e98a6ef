package dev.xsched.hip;

import dev.xsched.gpu.StreamProvider;
import java.util.List;

/** Opens HIP devices. */
public final class HipProvider extends StreamProvider<Hip> {
  /** For the service loader. */
  public HipProvider() {
    this(Hip.usualLibraries());
  }

  HipProvider(List<String> libraries) {
    super("HIP", "rocminfo", () -> Hip.load(libraries));
  }

  @Override
  public HipDevice open(String detail) {
    int number = number(detail);
    return HipDevice.numbered(driverWith(number, detail), number);
  }
}
