package dev.xsched.sim;

import java.util.Collections;
import java.util.List;

/**
 * The task that a device was measured with: what one request or one iteration asks of it.
 *
 * @param title what it is, for people
 * @param hostNanos time before the first command, in which only the host works
 * @param jitter how much longer a task takes than its commands say, as a fraction of it: the mean
 *     of an exponential distribution
 * @param commands its commands in order
 * @param gapNanos host time before each further command; where it is longer than the commands, the
 *     task is bound by its launching and leaves the device idle in between
 */
public record TaskModel(
    String title, long hostNanos, double jitter, List<Run> commands, long gapNanos) {
  /** A run of equal commands. */
  public record Run(int count, long nanos) {}

  public TaskModel {
    commands = List.copyOf(commands);
  }

  /** A task that hands over all its commands at once. */
  public TaskModel(String title, long hostNanos, double jitter, List<Run> commands) {
    this(title, hostNanos, jitter, commands, 0);
  }

  /** The same several times, one after the other. */
  public TaskModel repeated(int times) {
    List<Run> all = Collections.nCopies(times, commands).stream().flatMap(List::stream).toList();
    return new TaskModel(times + " x " + title, times * hostNanos, jitter, all, gapNanos);
  }

  public int commandCount() {
    return commands.stream().mapToInt(Run::count).sum();
  }

  /** Time that one task keeps the device busy, without jitter. */
  public long deviceNanos() {
    return commands.stream().mapToLong(r -> r.count() * r.nanos()).sum();
  }
}
