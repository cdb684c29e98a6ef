package dev.xsched.gpu;

import java.lang.foreign.MemorySegment;

/** Memory of the host that a device copies to or from while the program goes on. */
public final class HostMemory {
  /** Stands for any thread but the one that made a segment. */
  private static final Thread ANY_THREAD = Thread.ofPlatform().unstarted(() -> {});

  private HostMemory() {}

  /**
   * Checks that a segment can be copied from or to.
   *
   * @param most how many bytes there are on the device
   */
  public static MemorySegment checked(MemorySegment segment, long most) {
    if (!segment.isNative() || !sharedByThreads(segment)) {
      throw new IllegalArgumentException(
          "a device cannot copy to or from this segment later and on another thread;"
              + " allocate it in Arena.ofShared() or Arena.ofAuto()");
    }
    if (segment.byteSize() > most) {
      throw new IllegalArgumentException(
          "the segment has %d bytes, the buffer %d; give a slice that fits"
              .formatted(segment.byteSize(), most));
    }
    return segment;
  }

  static boolean sharedByThreads(MemorySegment segment) {
    return segment.isAccessibleBy(ANY_THREAD);
  }
}
