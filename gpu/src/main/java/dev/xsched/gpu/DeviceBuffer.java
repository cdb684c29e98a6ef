package dev.xsched.gpu;

import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/** Memory of a device that was allocated here. */
public abstract class DeviceBuffer implements DeviceMemory, AutoCloseable {
  private final Handle handle;
  private final long size;

  protected DeviceBuffer(Handle handle, long size) {
    this.handle = handle;
    this.size = size;
  }

  /** In bytes. */
  public final long size() {
    return size;
  }

  @Override
  public final Handle handle() {
    return handle;
  }

  /** Makes a call with the buffer, which is not released meanwhile; returns the driver's code. */
  protected final int with(ToIntFunction<MemorySegment> call) {
    return handle.get(call::applyAsInt);
  }

  @Override
  public final void close() {
    handle.close();
  }
}
