package dev.xsched.opencl;

import dev.xsched.gpu.Handle;

/** A program that was built for a device. Its kernels live on without it. */
public final class OpenClProgram implements AutoCloseable {
  private final OpenClDevice device;
  private final Handle handle;

  OpenClProgram(OpenClDevice device, Handle handle) {
    this.device = device;
    this.handle = handle;
  }

  /** Returns a kernel of this program. */
  public OpenClKernel kernel(String name) {
    return handle.get(program -> device.newKernel(program, name));
  }

  @Override
  public void close() {
    handle.close();
  }
}
