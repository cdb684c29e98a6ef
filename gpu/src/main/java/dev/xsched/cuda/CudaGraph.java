package dev.xsched.cuda;

import dev.xsched.gpu.Handle;
import java.lang.foreign.MemorySegment;

/** Commands that are launched as one. What they use must stay open as long as the graph is. */
public final class CudaGraph implements AutoCloseable {
  private final Cuda cuda;
  private final Handle executable;

  CudaGraph(Cuda cuda, Handle executable) {
    this.cuda = cuda;
    this.executable = executable;
  }

  /** A command that runs all of the graph. */
  public CudaCommand launch() {
    return CudaCommand.of(
        "cuGraphLaunch",
        stream -> {
          MemorySegment address = executable.enter();
          try {
            return cuda.launchGraph(address, stream);
          } finally {
            executable.leave();
          }
        });
  }

  @Override
  public void close() {
    executable.close();
  }
}
