package dev.xsched.gpu;

import java.lang.foreign.MemorySegment;

/**
 * Memory of a device. Close it when the commands that use it have finished; that waits for the
 * device, because drivers free no memory before.
 */
public final class StreamBuffer extends DeviceBuffer {
  private final StreamDriver driver;

  StreamBuffer(StreamDriver driver, Handle handle, long size) {
    super(handle, size);
    this.driver = driver;
  }

  /**
   * A command that copies a native segment to the beginning of this buffer. The segment must stay
   * open and as it is until the command has finished. If it is not from {@link
   * StreamDevice#newHostMemory}, the driver copies it twice, and the launch takes as long as the
   * first copy.
   */
  public StreamCommand write(MemorySegment from) {
    MemorySegment segment = HostMemory.checked(from, size());
    return StreamCommand.of(
        driver.name("MemcpyHtoDAsync"),
        stream -> with(buffer -> driver.copyToDevice(buffer, segment, stream)));
  }

  /**
   * A command that copies from the beginning of this buffer to a native segment, as much as fits
   * there. The segment must stay open until the command has finished. If it is not from {@link
   * StreamDevice#newHostMemory}, the launch waits for all that is in the stream before.
   */
  public StreamCommand read(MemorySegment to) {
    MemorySegment segment = HostMemory.checked(to, size());
    return StreamCommand.of(
        driver.name("MemcpyDtoHAsync"),
        stream -> with(buffer -> driver.copyToHost(segment, buffer, stream)));
  }

  /** A command that copies all of another buffer to the beginning of this one. */
  public StreamCommand copyFrom(StreamBuffer other) {
    if (other.size() > size()) {
      throw new IllegalArgumentException(
          "the other buffer has %d bytes, this one %d".formatted(other.size(), size()));
    }
    return StreamCommand.of(
        driver.name("MemcpyDtoDAsync"),
        stream ->
            with(to -> other.with(from -> driver.copyOnDevice(to, from, other.size(), stream))));
  }

  /** A command that sets every byte. */
  public StreamCommand fill(byte value) {
    return StreamCommand.of(
        driver.name("MemsetD8Async"),
        stream -> with(buffer -> driver.fill(buffer, value, size(), stream)));
  }
}
