package dev.xsched.cuda;

import dev.xsched.gpu.Handle;

/** PTX that was compiled for a device. Its kernels live as long as it does. */
public final class CudaModule implements AutoCloseable {
  private final CudaContext context;
  private final Handle handle;

  CudaModule(CudaContext context, Handle handle) {
    this.context = context;
    this.handle = handle;
  }

  /** Returns a kernel of this module. */
  public CudaKernel kernel(String name) {
    Cuda cuda = context.cuda();
    return handle.get(
        module ->
            context.get(() -> new CudaKernel(cuda, name, handle, cuda.function(module, name))));
  }

  @Override
  public void close() {
    handle.close();
  }
}
