package dev.xsched.opencl;

import dev.xsched.gpu.Lazy;
import dev.xsched.queue.DeviceException;
import dev.xsched.queue.DeviceProvider;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Opens OpenCL devices: {@code opencl} for the best one, {@code opencl:1} for the second. */
public final class OpenClProvider implements DeviceProvider {
  /** Above anything that is simulated, below CUDA. */
  private static final int RANK = 50;

  /**
   * Below the virtual XPU. A CPU that plays the device takes its time from the threads that feed it
   * and measure it: on two cores, requests alone took 10 ms at P50 and 24 ms at P99, and two runs
   * of the demo disagreed by a factor of two. It is there for who asks for it by name.
   */
  private static final int RANK_OF_CPU = 5;

  private final Lazy<OpenCl> cl;

  /** For the service loader. */
  public OpenClProvider() {
    this(OpenCl.usualLibrary());
  }

  OpenClProvider(String library) {
    this.cl = new Lazy<>(() -> OpenCl.load(library));
  }

  @Override
  public String kind() {
    return "opencl";
  }

  @Override
  public String usage() {
    return "opencl[:N]";
  }

  @Override
  public int rank() {
    try {
      return Listing.best(Listing.all(cl.get())).map(OpenClProvider::rank).orElse(0);
    } catch (DeviceException _) {
      return 0; // No library, or one that does not work. Who asks for it by name hears why.
    }
  }

  private static int rank(Listing best) {
    return best.kind() == Listing.Kind.CPU ? RANK_OF_CPU : RANK;
  }

  @Override
  public OpenClDevice open(String detail) {
    List<Listing> all = Listing.all(cl.get());
    Listing best =
        Listing.best(all)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "OpenCL is installed, but finds no device; install the OpenCL driver of"
                            + " your device (clinfo lists what is found)"));
    return OpenClDevice.open(cl.get(), detail.isEmpty() ? best : numbered(all, detail));
  }

  private static Listing numbered(List<Listing> all, String detail) {
    try {
      return all.get(Integer.parseInt(detail));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(
          "there is no OpenCL device '%s'; choose %s"
              .formatted(
                  detail,
                  IntStream.range(0, all.size())
                      .mapToObj(i -> "opencl:%d (%s)".formatted(i, all.get(i).name()))
                      .collect(Collectors.joining(", "))),
          e);
    }
  }
}
