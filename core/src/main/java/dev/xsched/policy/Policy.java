package dev.xsched.policy;

/**
 * Decides who runs. A pure function: no I/O, no clock, no state of its own - what it must remember
 * goes into the decision and comes back with the next snapshot. So the same class runs in the
 * daemon, in the simulator and in a unit test.
 *
 * <p>It is asked when a queue turns ready or idle, is created or destroyed, when a hint or the
 * policy changes, and at the time it named itself. It must answer for queues that are idle, too: a
 * queue whose gate is already open when work arrives starts without waiting for anybody.
 *
 * <p>To add one, implement this interface with a public no-argument constructor, name the class in
 * {@code META-INF/services/dev.xsched.policy.Policy} and put the jar on the class path.
 */
public interface Policy {
  /** The name users type: upper case, short, unique. */
  String name();

  /** One line that tells a user when to choose this policy. */
  String summary();

  Decision decide(Snapshot snapshot);
}
