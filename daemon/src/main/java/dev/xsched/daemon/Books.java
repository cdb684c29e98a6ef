package dev.xsched.daemon;

import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Keeps the books: what happened how often, who ran when, and how long things took. */
final class Books {
  private final Map<Statistic, Long> counters = new EnumMap<>(Statistic.class);
  private final Latencies decisions = new Latencies();
  private final Latencies preemptions = new Latencies();
  private final Timeline timeline = new Timeline();

  long count(Statistic statistic) {
    return counters.getOrDefault(statistic, 0L);
  }

  void count(Statistic statistic, long more) {
    counters.merge(statistic, more, Long::sum);
  }

  /** How long decisions took to come. */
  Latencies decisions() {
    return decisions;
  }

  /** How long queues took to stop. */
  Latencies preemptions() {
    return preemptions;
  }

  /** Those that have ended since that number, and those that last. */
  List<Run> runsAfter(long number, Collection<ManagedQueue> queues) {
    List<Run> runs = timeline.after(number);
    for (ManagedQueue queue : queues) {
      if (queue.runningSince != ManagedQueue.NOT) {
        runs.add(Timeline.run(0, queue, queue.runningSince, Long.MAX_VALUE, false));
      }
      if (queue.interruptedSince != ManagedQueue.NOT) {
        runs.add(Timeline.run(0, queue, queue.interruptedSince, Long.MAX_VALUE, true));
      }
    }
    return runs;
  }

  /** A queue turned ready or idle, or its gate was opened or closed. */
  void changed(ManagedQueue queue, long now, boolean ready, boolean open) {
    boolean runs = ready && open;
    if (runs && queue.runningSince == ManagedQueue.NOT) {
      queue.runningSince = now;
    } else if (!runs && queue.runningSince != ManagedQueue.NOT) {
      timeline.add(queue, queue.runningSince, now, false);
      queue.runningSince = ManagedQueue.NOT;
    }
    boolean held = ready && !open;
    if (held && queue.heldSince == ManagedQueue.NOT) {
      queue.heldSince = now;
    } else if (!held && queue.heldSince != ManagedQueue.NOT) {
      count(Statistic.GATE_CLOSED_NANOS, now - queue.heldSince);
      queue.heldSince = ManagedQueue.NOT;
    }
  }

  /** An order was given to a queue. */
  void ordered(ManagedQueue queue, long now, boolean run) {
    if (run) {
      noticeDrained(queue, now);
      queue.preemptedAt = ManagedQueue.NOT;
    }
    if (queue.ready()) {
      count(run ? Statistic.RESUMES : Statistic.PREEMPTIONS, 1);
      if (!run) {
        queue.preemptedAt = now;
      }
    }
    changed(queue, now, queue.ready(), run);
  }

  /** A queue's work went off its GPU, or is on it again. */
  void interrupted(ManagedQueue queue, long now, boolean interrupted, long nanos) {
    count(interrupted ? Statistic.INTERRUPTS : Statistic.RESTORES, 1);
    count(Statistic.INTERRUPT_NANOS, nanos);
    if (interrupted) {
      queue.interruptedSince = now;
    } else if (queue.interruptedSince != ManagedQueue.NOT) {
      timeline.add(queue, queue.interruptedSince, now, true);
      queue.interruptedSince = ManagedQueue.NOT;
    }
  }

  /** Notices that what a preempted queue had in flight has ended. */
  void noticeDrained(ManagedQueue queue, long now) {
    if (queue.preemptedAt != ManagedQueue.NOT) {
      long stopped = queue.slot().stopped();
      if (stopped >= queue.preemptedAt && stopped <= now) {
        preemptions.add(stopped - queue.preemptedAt);
        queue.preemptedAt = ManagedQueue.NOT;
      }
    }
  }
}
