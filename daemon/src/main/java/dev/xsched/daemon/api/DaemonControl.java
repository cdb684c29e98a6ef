package dev.xsched.daemon.api;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.util.List;
import java.util.Map;

/**
 * The daemon as people and tools steer it. Thread-safe.
 *
 * <p>A target names what to change: {@code 1234} or {@code pid:1234} is a program, {@code
 * name:serve} or plain {@code serve} all programs of that name, {@code 1234/0} or {@code queue:ID}
 * one queue, {@code system} the hints that belong to no queue. A program's hints hold for all of
 * its queues, those to come among them.
 *
 * <p>An {@link IllegalArgumentException} says what is wrong with a request and what to do about it,
 * a {@link NotAllowedException} that this caller may not.
 */
public interface DaemonControl {
  /** Everything there is to see now. */
  DaemonState state();

  /** Who ran when: the runs with a number above that, oldest first, as far as they are kept. */
  List<Run> runsAfter(long number);

  /** How queues on GPUs were kept apart since when: what changed, as for runs. */
  List<MechanismChange> changesAfter(long number);

  /** Changes the policy for everybody; only for the daemon's owner and root. */
  void setPolicy(Caller caller, String name);

  /** Sets hints and returns the ids of the queues concerned. Nothing is set if anything fails. */
  List<Long> hint(Caller caller, String target, Map<Hint, Long> values, Hints.Source source);

  /** Sets how queues are preempted and returns the ids of the queues concerned. */
  List<Long> configure(Caller caller, String target, QueueConfig config);

  /**
   * Ends the daemon in good order; programs run on, unscheduled. Only for its owner and root.
   * Returns at once and ends on another thread, so that the one who asked gets an answer.
   */
  void stop(Caller caller);
}
