package dev.xsched.scheduler;

import dev.xsched.policy.QueueView;
import dev.xsched.scheduler.Scheduler.Work;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What queues leave on devices when they are stopped: commands that were launched and go on. That
 * time is theirs, and nobody else on the device is charged for it. Otherwise a queue with long
 * commands would get most of the device: it would pay for its turns alone, and others for theirs
 * and for what it left behind.
 *
 * <p>How long it takes is estimated, from what the device has and how long commands take, for a
 * device may do other work beside it. It takes no longer than until all of it has completed.
 */
final class Backlogs {
  private static final double MOST_GROWTH = 1 + 1 / 16.0;

  /** More than that, no queue is believed to have left behind. */
  private static final long LONGEST_NANOS = 1_000_000_000;

  /**
   * How a queue stood when it began its turn.
   *
   * @param commands that it was charged for, whether they had completed by then or not
   * @param usedNanos its account
   * @param commandNanos how long one of its commands takes, 0 if that is not known
   */
  private record Start(long commands, long usedNanos, double commandNanos) {
    static final Start FIRST = new Start(0, 0, 0);
  }

  /** What one queue left, as far as it is not charged for that yet. */
  private static final class Backlog {
    final int device;
    final long commands;
    long fromNanos;
    long untilNanos;

    Backlog(int device, long commands, long fromNanos, long untilNanos) {
      this.device = device;
      this.commands = commands;
      this.fromNanos = fromNanos;
      this.untilNanos = untilNanos;
    }
  }

  private final Map<Long, Start> starts = new HashMap<>();
  private final Map<Long, Backlog> backlogs = new LinkedHashMap<>();
  private final Map<Integer, Long> busyUntilNanos = new HashMap<>();
  private boolean shortened;

  /** From when on a queue of that device is charged for its own time. */
  long chargedFrom(int device, long now) {
    return Math.max(now, busyUntilNanos.getOrDefault(device, now));
  }

  /** The queues that are not charged for all that they left. */
  List<Long> queues() {
    return List.copyOf(backlogs.keySet());
  }

  /**
   * Takes in that a queue was stopped. Returns whether it left something.
   *
   * @param sideBySide how many programs had its device together until then, so what a command of
   *     each was seen to take is what one of each took. Whose times are known better is believed
   *     that later, in steps.
   */
  boolean stopped(QueueView queue, Work work, int sideBySide, long now) {
    Start start = starts.getOrDefault(queue.id(), Start.FIRST);
    double command =
        sideBySide > 1
            ? commandNanosSideBySide(work, sideBySide)
            : commandNanos(start.commandNanos(), (double) work.commandNanos());
    long nanos = queue.ready() ? estimate(queue, work, start, command) : 0;
    long commands = work.completed() + work.leaving();
    starts.put(queue.id(), new Start(commands, queue.usedNanosBefore(), command));
    if (nanos == 0) {
      return false;
    }
    long from = chargedFrom(queue.device(), now);
    backlogs.put(queue.id(), new Backlog(queue.device(), commands, from, from + nanos));
    busyUntilNanos.put(queue.device(), from + nanos);
    return true;
  }

  /** Takes in that it runs on, but those who had the device beside it do not. */
  void goesOnAlone(QueueView queue, Work work, int sideBySide) {
    Start start = starts.getOrDefault(queue.id(), Start.FIRST);
    double command = commandNanosSideBySide(work, sideBySide);
    starts.put(queue.id(), new Start(start.commands(), start.usedNanos(), command));
  }

  private static double commandNanosSideBySide(Work work, int sideBySide) {
    return Math.max(0, (double) work.commandNanos()) / sideBySide;
  }

  /** All that is left, less the part of the first command that the queue was charged for. */
  private static long estimate(QueueView queue, Work work, Start start, double command) {
    double done = command * (work.completed() - start.commands());
    double begun = Math.clamp(queue.usedNanosBefore() - start.usedNanos() - done, 0, command);
    return (long) Math.clamp(command * work.leaving() - begun, 0, LONGEST_NANOS);
  }

  /**
   * What was measured is too long where others had the device meanwhile, but never too short. So
   * less is believed at once, and more in steps.
   */
  private static double commandNanos(double known, double measured) {
    return Math.max(0, known == 0 ? measured : Math.min(measured, MOST_GROWTH * known));
  }

  /** Returns what a queue is to be charged for what it left, since the last call. */
  long charge(long id, Work work, long now) {
    Backlog backlog = backlogs.get(id);
    if (backlog == null) {
      return 0;
    }
    long until = Math.min(now, backlog.untilNanos);
    long nanos = Math.max(0, until - backlog.fromNanos);
    backlog.fromNanos = Math.max(until, backlog.fromNanos);
    if (now >= backlog.untilNanos || work.completed() - backlog.commands >= 0) {
      end(id);
    }
    return nanos;
  }

  /** Takes in that a queue runs: from now on it is charged for its own time again. */
  void runs(QueueView queue, Work work) {
    Start start = starts.getOrDefault(queue.id(), Start.FIRST);
    long commands = backlogs.containsKey(queue.id()) ? work.completed() : start.commands();
    starts.put(queue.id(), new Start(commands, queue.usedNanosBefore(), start.commandNanos()));
    end(queue.id());
  }

  void forget(long id) {
    end(id);
    starts.remove(id);
  }

  /** What comes after it on the device comes the sooner. */
  private void end(long id) {
    Backlog ended = backlogs.remove(id);
    if (ended == null) {
      return;
    }
    long rest = ended.untilNanos - ended.fromNanos;
    for (Backlog other : backlogs.values()) {
      if (other.device == ended.device && other.fromNanos >= ended.untilNanos) {
        other.fromNanos -= rest;
        other.untilNanos -= rest;
      }
    }
    busyUntilNanos.merge(ended.device, -rest, Long::sum);
    shortened |= rest > 0;
  }

  /** Whether a device was done sooner than {@link #chargedFrom} said before the last call. */
  boolean takeShortened() {
    boolean was = shortened;
    shortened = false;
    return was;
  }
}
