package dev.xsched.policy;

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
 * @param memory what the policy wanted to remember at its last decision, or null at first
 */
public record Snapshot(
    long nowNanos,
    List<QueueView> queues,
    int devices,
    int processSlots,
    Hints system,
    @Nullable Object memory) {}
