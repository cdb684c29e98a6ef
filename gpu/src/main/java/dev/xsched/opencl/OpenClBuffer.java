package dev.xsched.opencl;

import dev.xsched.gpu.DeviceBuffer;
import dev.xsched.gpu.Handle;
import dev.xsched.gpu.HostMemory;
import java.lang.foreign.MemorySegment;

/** Memory of an OpenCL device. Close it when the commands that use it have finished. */
public final class OpenClBuffer extends DeviceBuffer {
  private final OpenCl cl;

  OpenClBuffer(OpenCl cl, Handle handle, long size) {
    super(handle, size);
    this.cl = cl;
  }

  /**
   * A command that copies a native segment to the beginning of this buffer. The segment must stay
   * open and as it is until the command has finished.
   */
  public OpenClCommand write(MemorySegment from) {
    MemorySegment segment = HostMemory.checked(from, size());
    return OpenClCommand.of(
        "clEnqueueWriteBuffer",
        (queue, event) -> with(buffer -> cl.enqueueWrite(queue, buffer, segment, event)));
  }

  /**
   * A command that copies from the beginning of this buffer to a native segment, as much as fits
   * there. The segment must stay open until the command has finished.
   */
  public OpenClCommand read(MemorySegment to) {
    MemorySegment segment = HostMemory.checked(to, size());
    return OpenClCommand.of(
        "clEnqueueReadBuffer",
        (queue, event) -> with(buffer -> cl.enqueueRead(queue, buffer, segment, event)));
  }

  /** A command that sets every byte. */
  public OpenClCommand fill(byte value) {
    return OpenClCommand.of(
        "clEnqueueFillBuffer",
        (queue, event) -> with(buffer -> cl.enqueueFill(queue, buffer, value, size(), event)));
  }
}
