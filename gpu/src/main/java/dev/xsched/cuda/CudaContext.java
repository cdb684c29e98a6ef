package dev.xsched.cuda;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * A context. CUDA has a current one for each thread, and calls come from whichever thread submits
 * or waits; so each of ours puts it on and takes it off again, and a program's own stays what it
 * was.
 */
record CudaContext(Cuda cuda, MemorySegment address) {
  <T> T get(Supplier<T> action) {
    cuda.pushContext(address);
    try {
      return action.get();
    } finally {
      cuda.popContext();
    }
  }

  void run(Runnable action) {
    cuda.pushContext(address);
    try {
      action.run();
    } finally {
      cuda.popContext();
    }
  }
}
