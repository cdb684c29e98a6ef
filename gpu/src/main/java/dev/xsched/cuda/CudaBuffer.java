package dev.xsched.cuda;

import dev.xsched.gpu.DeviceMemory;
import dev.xsched.gpu.Handle;
import dev.xsched.gpu.HostMemory;
import java.lang.foreign.MemorySegment;
import java.util.function.ToIntFunction;

/** Memory of a CUDA device. Close it when the commands that use it have finished. */
public final class CudaBuffer implements DeviceMemory, AutoCloseable {
  private final Cuda cuda;
  private final Handle handle;
  private final long size;

  CudaBuffer(Cuda cuda, Handle handle, long size) {
    this.cuda = cuda;
    this.handle = handle;
    this.size = size;
  }

  /** In bytes. */
  public long size() {
    return size;
  }

  @Override
  public Handle handle() {
    return handle;
  }

  /**
   * A command that copies a native segment to the beginning of this buffer. The segment must stay
   * open and as it is until the command has finished. If it is not from {@link
   * CudaDevice#newHostMemory}, the driver copies it twice, and the launch takes as long as the
   * first copy.
   */
  public CudaCommand write(MemorySegment from) {
    MemorySegment segment = HostMemory.checked(from, size);
    return CudaCommand.of(
        "cuMemcpyHtoDAsync", stream -> with(buffer -> cuda.copyToDevice(buffer, segment, stream)));
  }

  /**
   * A command that copies from the beginning of this buffer to a native segment, as much as fits
   * there. The segment must stay open until the command has finished. If it is not from {@link
   * CudaDevice#newHostMemory}, the launch waits for all that is in the stream before.
   */
  public CudaCommand read(MemorySegment to) {
    MemorySegment segment = HostMemory.checked(to, size);
    return CudaCommand.of(
        "cuMemcpyDtoHAsync", stream -> with(buffer -> cuda.copyToHost(segment, buffer, stream)));
  }

  /** A command that copies all of another buffer to the beginning of this one. */
  public CudaCommand copyFrom(CudaBuffer other) {
    if (other.size > size) {
      throw new IllegalArgumentException(
          "the other buffer has %d bytes, this one %d".formatted(other.size, size));
    }
    return CudaCommand.of(
        "cuMemcpyDtoDAsync",
        stream -> with(to -> other.with(from -> cuda.copyOnDevice(to, from, other.size, stream))));
  }

  /** A command that sets every byte. */
  public CudaCommand fill(byte value) {
    return CudaCommand.of(
        "cuMemsetD8Async", stream -> with(buffer -> cuda.fill(buffer, value, size, stream)));
  }

  private int with(ToIntFunction<MemorySegment> call) {
    MemorySegment buffer = handle.enter();
    try {
      return call.applyAsInt(buffer);
    } finally {
      handle.leave();
    }
  }

  /** Waits for the device: CUDA frees no memory before. */
  @Override
  public void close() {
    handle.close();
  }
}
