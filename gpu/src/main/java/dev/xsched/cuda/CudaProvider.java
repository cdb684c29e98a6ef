package dev.xsched.cuda;

import dev.xsched.gpu.Lazy;
import dev.xsched.queue.DeviceException;
import dev.xsched.queue.DeviceProvider;

/** Opens CUDA devices: {@code cuda} for the first one, {@code cuda:1} for the second. */
public final class CudaProvider implements DeviceProvider {
  /** Above all others: what a device can do, it can do under CUDA. */
  private static final int RANK = 100;

  private final Lazy<Cuda> cuda;

  /** For the service loader. */
  public CudaProvider() {
    this(Cuda.usualLibrary());
  }

  CudaProvider(String library) {
    this.cuda = new Lazy<>(() -> Cuda.load(library));
  }

  @Override
  public String kind() {
    return "cuda";
  }

  @Override
  public String usage() {
    return "cuda[:N]";
  }

  @Override
  public int rank() {
    try {
      return cuda.get().deviceCount() > 0 ? RANK : 0;
    } catch (DeviceException _) {
      return 0; // No driver, or one that does not work. Who asks for it by name hears why.
    }
  }

  @Override
  public CudaDevice open(String detail) {
    int count = cuda.get().deviceCount();
    int number = number(detail);
    if (number < 0 || number >= count) {
      throw new IllegalArgumentException(
          count == 0
              ? "CUDA finds no device; nvidia-smi lists what is found"
              : "there is no CUDA device '%s'; choose cuda:0 to cuda:%d"
                  .formatted(detail, count - 1));
    }
    return new CudaDevice(cuda.get(), number);
  }

  /** The number that was typed; -1 if it is none. */
  private static int number(String detail) {
    try {
      return detail.isEmpty() ? 0 : Integer.parseInt(detail);
    } catch (NumberFormatException _) {
      return -1;
    }
  }
}
