package dev.xsched.bench.worker;

import dev.xsched.policy.Hint;
import java.util.List;
import java.util.Map;

/**
 * All that makes a worker what it is. Two that are equal are the same program doing the same in the
 * same way, so one that was started for an earlier scene can play again.
 *
 * @param name of its process
 * @param command with all arguments
 * @param environment beyond our own
 * @param loads its queues, as orders of the protocol
 * @param priorities that the daemon must show for its queues; none if it runs without one
 * @param hints that can only be given once it runs
 */
record Recipe(
    String name,
    List<String> command,
    Map<String, String> environment,
    List<String> loads,
    List<Long> priorities,
    Map<Hint, Long> hints) {
  /** Whether a worker of one becomes a worker of the other by loading anew, and by more hints. */
  boolean canBecome(Recipe other) {
    Map<Hint, Long> hinted = hints.isEmpty() ? other.hints : hints;
    return new Recipe(other.name, command, environment, other.loads, priorities, hinted)
        .equals(other);
  }
}
