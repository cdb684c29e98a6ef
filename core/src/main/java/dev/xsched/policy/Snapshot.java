package dev.xsched.policy;

import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that a policy may look at, frozen at one moment.
 *
 * @param nowNanos the moment
 * @param queues every queue, in no particular order; the index is what a {@link Decision} speaks of
 * @param devices one more than the largest device index
 * @param processSlots one more than the largest process slot
 * @param system the hints that belong to no single queue
 * @param slicing the devices that keep ranks apart by time slices of their own, see {@link #slices}
 * @param memory what the policy wanted to remember at its last decision, or null at first
 */
public record Snapshot(
    long nowNanos,
    List<QueueView> queues,
    int devices,
    int processSlots,
    Hints system,
    BitSet slicing,
    @Nullable Object memory) {
  public Snapshot {
    slicing = (BitSet) slicing.clone();
  }

  /**
   * Whether a queue of the highest rank preempts the others there by time slices, so that the
   * policy can say what these get meanwhile ({@link Decision.Builder#share}) and need not stop them
   * again and again.
   */
  public boolean slices(int device) {
    return slicing.get(device);
  }
}
