package dev.xsched.cuda;

import dev.xsched.gpu.StreamProvider;

/** Opens CUDA devices. */
public final class CudaProvider extends StreamProvider<Cuda> {
  /** For the service loader. */
  public CudaProvider() {
    this(Cuda.usualLibrary());
  }

  CudaProvider(String library) {
    super("CUDA", "nvidia-smi", () -> Cuda.load(library));
  }

  @Override
  public CudaDevice open(String detail) {
    int number = number(detail);
    return CudaDevice.numbered(driverWith(number, detail), number);
  }
}
