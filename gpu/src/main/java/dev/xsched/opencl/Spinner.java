package dev.xsched.opencl;

import dev.xsched.gpu.Handle;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Keeps a device busy for a given time. OpenCL has no clock that kernels can read, so this counts,
 * and how fast the device counts is measured once. All of the device takes part: otherwise another
 * queue's kernels would run beside it, and two queues would never compete.
 */
final class Spinner {
  private static final String SOURCE =
      """
      kernel void xsched_spin(ulong rounds, global ulong* never) {
        ulong x = get_global_id(0) + 1;
        for (ulong i = 0; i < rounds; i++) {
          x ^= x << 13;
          x ^= x >> 7;
          x ^= x << 17;
        }
        if (x == 0) *never = x; /* It never is, but the compiler does not know. */
      }
      """;

  private static final long FIRST_ROUNDS = 1_000;

  /** Long enough that starting and stopping do not count. */
  private static final long MEASURED_NANOS = 2_000_000;

  /** More than any device counts in that time: its clock must be broken. */
  private static final long MOST_ROUNDS = 1L << 30;

  private static final int TRIES = 5;

  private final OpenClKernel kernel;
  private final OpenClBuffer never;
  private final Range range;
  private final double nanosPerRound;

  Spinner(OpenCl cl, OpenClDevice device, MemorySegment context, Listing listing) {
    OpenClProgram program = device.build(SOURCE);
    this.kernel = program.kernel("xsched_spin");
    this.never = device.newBuffer(Long.BYTES);
    this.range = wholeDevice(cl, kernel, listing);
    program.close();
    try (Handle queue =
        new Handle(
            "the queue that measures",
            cl.createQueue(context, listing.device(), OpenCl.PROFILING),
            cl::releaseQueue)) {
      this.nanosPerRound = queue.get(address -> measure(cl, address));
    }
  }

  /** On a GPU two groups of the largest size fill a compute unit, or nearly so. */
  private static Range wholeDevice(OpenCl cl, OpenClKernel kernel, Listing listing) {
    long units = Infos.integer(cl.deviceInfo(listing.device(), OpenCl.DEVICE_MAX_COMPUTE_UNITS));
    if (listing.kind() == Listing.Kind.CPU) {
      return Range.of(units).inGroupsOf(1);
    }
    long group = kernel.largestGroup(listing.device());
    return Range.of(2 * units * group).inGroupsOf(group);
  }

  private double measure(OpenCl cl, MemorySegment queue) {
    long rounds = FIRST_ROUNDS;
    while (nanos(cl, queue, rounds) < MEASURED_NANOS && rounds < MOST_ROUNDS) {
      rounds *= 2;
    }
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      fastest = Math.min(fastest, nanos(cl, queue, rounds));
    }
    return Math.max(1e-3, (double) fastest / rounds);
  }

  private long nanos(OpenCl cl, MemorySegment queue, long rounds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      kernel.over(range, rounds, never).enqueue(queue, out);
      MemorySegment event = out.get(ValueLayout.ADDRESS, 0);
      try {
        cl.waitFor(event);
        return cl.nanosOf(event);
      } finally {
        cl.releaseEvent(event);
      }
    }
  }

  OpenClCommand spin(long nanos) {
    return kernel.over(range, Math.max(1, (long) (nanos / nanosPerRound)), never);
  }
}
