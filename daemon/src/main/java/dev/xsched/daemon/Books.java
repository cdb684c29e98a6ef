package dev.xsched.daemon;

import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Keeps the books: what happened how often, who ran when, and how long things took. */
final class Books {
  private final Map<Statistic, Long> counters = new EnumMap<>(Statistic.class);
  private final Latencies decisions = new Latencies();
  private final Latencies preemptions = new Latencies();
  private final Timeline<Run> runs = new Timeline<>(8_192);

  /** On their own, because they are few and runs are many. */
  private final Timeline<MechanismChange> changes = new Timeline<>(1_024);

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
    List<Run> all = new ArrayList<>(runs.after(number));
    for (ManagedQueue queue : queues) {
      if (queue.runningSince != ManagedQueue.NOT) {
        all.add(run(0, queue, queue.runningSince, Long.MAX_VALUE));
      }
      if (queue.interruptedSince != ManagedQueue.NOT) {
        all.add(interruption(0, queue, Long.MAX_VALUE));
      }
    }
    return all;
  }

  List<MechanismChange> changesAfter(long number) {
    return changes.after(number);
  }

  /** Notices whether a queue is kept apart from others in another way than before. */
  void keptApart(ManagedQueue queue, long now) {
    Mechanism.Kind kind = queue.mechanism();
    MechanismChange before = queue.lastChange;
    if (kind == null
        || (before != null
            && before.mechanism().equals(kind.label())
            && before.sliceMicros() == queue.sliceMicros()
            && before.reason().equals(queue.reason()))) {
      return;
    }
    changes.add(
        number ->
            queue.lastChange =
                new MechanismChange(
                    number,
                    queue.id(),
                    queue.program().id(),
                    queue.device(),
                    now,
                    kind.label(),
                    queue.sliceMicros(),
                    queue.reason()));
  }

  private static Run run(long number, ManagedQueue queue, long startNanos, long endNanos) {
    return new Run(
        number, queue.id(), queue.program().id(), queue.device(), startNanos, endNanos, false, "");
  }

  private static Run interruption(long number, ManagedQueue queue, long endNanos) {
    return new Run(
        number,
        queue.id(),
        queue.program().id(),
        queue.device(),
        queue.interruptedSince,
        endNanos,
        true,
        queue.interruptReason);
  }

  /** A queue turned ready or idle, or its gate was opened or closed. */
  void changed(ManagedQueue queue, long now, boolean ready, boolean open) {
    boolean running = ready && open;
    if (running && queue.runningSince == ManagedQueue.NOT) {
      queue.runningSince = now;
    } else if (!running && queue.runningSince != ManagedQueue.NOT) {
      runs.add(number -> run(number, queue, queue.runningSince, now));
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
      queue.interrupts++;
      queue.interruptedSince = now;
    } else if (queue.interruptedSince != ManagedQueue.NOT) {
      runs.add(number -> interruption(number, queue, now));
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
