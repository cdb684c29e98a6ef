package dev.xsched.cuda;

import dev.xsched.gpu.DeviceBuffer;
import dev.xsched.gpu.Handle;
import dev.xsched.gpu.HostMemory;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a CUDA device. Close it when the commands that use it have finished; that waits for the
 * device, because CUDA frees no memory before.
 */
public final class CudaBuffer extends DeviceBuffer {
  private final Cuda cuda;

  CudaBuffer(Cuda cuda, Handle handle, long size) {
    super(handle, size);
    this.cuda = cuda;
  }

  /**
   * A command that copies a native segment to the beginning of this buffer. The segment must stay
   * open and as it is until the command has finished. If it is not from {@link
   * CudaDevice#newHostMemory}, the driver copies it twice, and the launch takes as long as the
   * first copy.
   */
  public CudaCommand write(MemorySegment from) {
    MemorySegment segment = HostMemory.checked(from, size());
    return CudaCommand.of(
        "cuMemcpyHtoDAsync", stream -> with(buffer -> cuda.copyToDevice(buffer, segment, stream)));
  }

  /**
   * A command that copies from the beginning of this buffer to a native segment, as much as fits
   * there. The segment must stay open until the command has finished. If it is not from {@link
   * CudaDevice#newHostMemory}, the launch waits for all that is in the stream before.
   */
  public CudaCommand read(MemorySegment to) {
    MemorySegment segment = HostMemory.checked(to, size());
    return CudaCommand.of(
        "cuMemcpyDtoHAsync", stream -> with(buffer -> cuda.copyToHost(segment, buffer, stream)));
  }

  /** A command that copies all of another buffer to the beginning of this one. */
  public CudaCommand copyFrom(CudaBuffer other) {
    if (other.size() > size()) {
      throw new IllegalArgumentException(
          "the other buffer has %d bytes, this one %d".formatted(other.size(), size()));
    }
    return CudaCommand.of(
        "cuMemcpyDtoDAsync",
        stream ->
            with(to -> other.with(from -> cuda.copyOnDevice(to, from, other.size(), stream))));
  }

  /** A command that sets every byte. */
  public CudaCommand fill(byte value) {
    return CudaCommand.of(
        "cuMemsetD8Async", stream -> with(buffer -> cuda.fill(buffer, value, size(), stream)));
  }
}
