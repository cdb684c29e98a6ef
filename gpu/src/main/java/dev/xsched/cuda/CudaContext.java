package dev.xsched.cuda;

import dev.xsched.gpu.Current;
import java.lang.foreign.MemorySegment;

/** A context, which is pushed and popped. */
final class CudaContext extends Current {
  private final Cuda cuda;
  private final MemorySegment address;

  CudaContext(Cuda cuda, MemorySegment address) {
    this.cuda = cuda;
    this.address = address;
  }

  @Override
  protected int enter() {
    cuda.pushContext(address);
    return 0;
  }

  @Override
  protected void leave(int entered) {
    cuda.popContext();
  }
}
