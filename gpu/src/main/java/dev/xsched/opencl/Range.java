package dev.xsched.opencl;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** How many work items a kernel runs over, in up to three dimensions, and in groups of what. */
public final class Range {
  private final long[] global;
  private final long[] local;

  private Range(long[] global, long[] local) {
    this.global = global;
    this.local = local;
  }

  /** A range in as many dimensions as sizes are given; the driver chooses the groups. */
  public static Range of(long... sizes) {
    if (sizes.length < 1 || sizes.length > 3) {
      throw new IllegalArgumentException(
          "a range has 1 to 3 dimensions, not %d".formatted(sizes.length));
    }
    return new Range(sizes.clone(), new long[0]);
  }

  /** The same range in groups of these sizes. */
  public Range inGroupsOf(long... sizes) {
    if (sizes.length != global.length) {
      throw new IllegalArgumentException(
          "a range of %d dimensions needs as many group sizes, not %d"
              .formatted(global.length, sizes.length));
    }
    return new Range(global, sizes.clone());
  }

  int dimensions() {
    return global.length;
  }

  MemorySegment global(Arena arena) {
    return arena.allocateFrom(ValueLayout.JAVA_LONG, global);
  }

  MemorySegment local(Arena arena) {
    return local.length == 0
        ? MemorySegment.NULL
        : arena.allocateFrom(ValueLayout.JAVA_LONG, local);
  }
}
