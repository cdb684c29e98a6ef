package dev.xsched.sim.shared;

/**
 * Ground truth: a command that the device executed, and when.
 *
 * @param pid the process that launched it
 * @param queue as that process counts its queues
 * @param sequence of the command in its queue
 * @param startNanos as {@link System#nanoTime} tells it, in every process
 * @param endNanos likewise
 */
public record SharedRun(int pid, int queue, long sequence, long startNanos, long endNanos) {}
