package dev.xsched.policy;

import org.jspecify.annotations.Nullable;

/**
 * A queue as a policy sees it.
 *
 * @param id unique for the life of the scheduler
 * @param device small and dense index of the device that the queue feeds
 * @param process the program that owns the queue
 * @param ready whether the queue holds commands that have not completed
 * @param readySinceNanos when it turned ready; meaningless while it is idle
 * @param running whether it was allowed to run since the last decision
 * @param usedNanosBefore time for which it was ready and allowed to run, up to {@code
 *     updatedNanos}; and for which the device works for it after it was stopped, where that is
 *     known
 * @param updatedNanos when {@code usedNanosBefore} was taken; or later than now, if the device is
 *     busy until then with what queues left behind that were stopped
 * @param completed how many of its commands have completed; kept up only where it has a goal
 * @param waitedNanos how long the program waited for the device so far, 0 where that is not known;
 *     likewise kept up only where it has a goal, and no more to be trusted than the program is
 * @param awaited whether it waits for the device now; likewise
 * @param hints what its user asked for
 * @param memory what the policy wants to remember of this queue, or null at first
 */
public record QueueView(
    long id,
    int device,
    ProcessView process,
    boolean ready,
    long readySinceNanos,
    boolean running,
    long usedNanosBefore,
    long updatedNanos,
    long completed,
    long waitedNanos,
    boolean awaited,
    Hints hints,
    @Nullable Object memory) {

  /** Returns the time for which this queue was ready and allowed to run, up to now. */
  public long usedNanos(long nowNanos) {
    return ready && running
        ? usedNanosBefore + Math.max(0, nowNanos - updatedNanos)
        : usedNanosBefore;
  }

  /** Returns whether this queue wants the device: ready, and not told to stay away. */
  public boolean wantsToRun() {
    return ready && hints.executes();
  }
}
