package dev.xsched.daemon.api;

import org.jspecify.annotations.Nullable;

/**
 * How a queue is preempted. What is null stays as it is.
 *
 * @param windowMicros the most work in flight, 0 for the program's own default
 * @param windowCommands the most commands in flight, 0 for no such bound
 * @param windowBatch commands per synchronisation point, 0 for the default
 * @param level 1 block, 2 deactivate, 3 interrupt, 0 the best that the queue has
 */
public record QueueConfig(
    @Nullable Long windowMicros,
    @Nullable Integer windowCommands,
    @Nullable Integer windowBatch,
    @Nullable Integer level) {}
