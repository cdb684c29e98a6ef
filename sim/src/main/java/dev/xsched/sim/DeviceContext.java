package dev.xsched.sim;

import java.util.Comparator;
import java.util.PriorityQueue;

/** One program's side of the device: the native scheduler is fair between these. */
public final class DeviceContext {
  static final Comparator<Lane> FIRST_COME =
      Comparator.comparingLong(lane -> lane.head().arrivalOrder);

  // Used by the round-robin engine and guarded by its lock.
  final PriorityQueue<Lane> waiting = new PriorityQueue<>(FIRST_COME);
  boolean inRing;

  /** A slice of its own, instead of the device's; 0 for none. */
  long sliceNanos;

  DeviceContext() {}
}
