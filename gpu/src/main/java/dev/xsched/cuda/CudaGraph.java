package dev.xsched.cuda;

import dev.xsched.gpu.Handle;

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
        "cuGraphLaunch", stream -> executable.get(address -> cuda.launchGraph(address, stream)));
  }

  @Override
  public void close() {
    executable.close();
  }
}
