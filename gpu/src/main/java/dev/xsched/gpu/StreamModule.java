package dev.xsched.gpu;

/** Kernels that were compiled for a device. Its kernels live as long as it does. */
public final class StreamModule implements AutoCloseable {
  private final StreamDriver driver;
  private final Current current;
  private final Handle handle;

  StreamModule(StreamDriver driver, Current current, Handle handle) {
    this.driver = driver;
    this.current = current;
    this.handle = handle;
  }

  /** Returns a kernel of this module. */
  public StreamKernel kernel(String name) {
    return handle.get(
        module ->
            current.get(
                () -> new StreamKernel(driver, name, handle, driver.function(module, name))));
  }

  @Override
  public void close() {
    handle.close();
  }
}
