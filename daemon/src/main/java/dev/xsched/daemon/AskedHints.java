package dev.xsched.daemon;

import dev.xsched.link.Asks;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.scheduler.Scheduler;
import java.lang.System.Logger.Level;

/**
 * Takes over what programs ask for in their own memory, within what their users may ask for. Only
 * what is asked anew counts: who set a hint last wins, and that may have been somebody else.
 */
final class AskedHints {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  private final Scheduler scheduler;
  private final Limits limits;
  private final SavedHints saved;
  private final int ownUid;

  AskedHints(Scheduler scheduler, Limits limits, SavedHints saved, int ownUid) {
    this.scheduler = scheduler;
    this.limits = limits;
    this.saved = saved;
    this.ownUid = ownUid;
  }

  /** Hears what a program asks for one queue; returns how much of it makes no sense. */
  int hear(ManagedQueue queue) {
    Asks asks = queue.slot().asks();
    if (asks.sequence() == queue.askedSequence) {
      return 0;
    }
    queue.askedSequence = asks.sequence();
    Asks.Answer answer = asks.over(Hints.DEFAULT, Hint.Scope.QUEUE, Hints.Source.APPLICATION);
    Hints holding = scheduler.queue(queue.id()).hints();
    scheduler.hints(queue.id(), merge(holding, queue.asked, answer.hints(), queue.program()));
    queue.asked = answer.hints();
    return answer.nonsense();
  }

  /** Hears what the environment asks for all queues; returns how much of it makes no sense. */
  int hear(Program program) {
    Asks asks = program.block().asks();
    if (asks.sequence() == program.askedSequence) {
      return 0;
    }
    boolean isOld = program.adopted && program.askedSequence == 0;
    program.askedSequence = asks.sequence();
    Asks.Answer answer = asks.over(Hints.DEFAULT, Hint.Scope.QUEUE, Hints.Source.ENVIRONMENT);
    if (!saved.remembers(program)) {
      program.hints = merge(program.hints, Hints.DEFAULT, answer.hints(), program);
    }
    if (program.uid() == ownUid || program.uid() == 0) {
      Hints system = asks.over(Hints.DEFAULT, Hint.Scope.SYSTEM, Hints.Source.ENVIRONMENT).hints();
      for (Hint hint : Hint.values()) {
        if (system.source(hint) != Hints.Source.DEFAULT && !(isOld && isSetByPerson(hint))) {
          scheduler.systemHint(hint, system.get(hint), Hints.Source.ENVIRONMENT);
        }
      }
    }
    return answer.nonsense();
  }

  private boolean isSetByPerson(Hint systemHint) {
    Hints.Source source = scheduler.system().source(systemHint);
    return source != Hints.Source.DEFAULT && source != Hints.Source.ENVIRONMENT;
  }

  private Hints merge(Hints holding, Hints askedBefore, Hints asked, Program program) {
    Hints result = holding;
    for (Hint hint : Hint.values()) {
      boolean isNew =
          asked.source(hint) != Hints.Source.DEFAULT
              && (asked.get(hint) != askedBefore.get(hint)
                  || asked.source(hint) != askedBefore.source(hint));
      if (isNew) {
        long allowed = limits.clamp(program.uid(), hint, asked.get(hint));
        if (allowed != asked.get(hint) && !program.clamped) {
          program.clamped = true; // Once: a program can ask as often as it likes.
          LOG.log(
              Level.WARNING,
              "%s asked for %s %d; uid %d may have %s"
                  .formatted(
                      program,
                      hint.label(),
                      asked.get(hint),
                      program.uid(),
                      allowed == Hint.UNSET ? "none" : allowed));
        }
        result = result.with(hint, allowed, asked.source(hint));
      }
    }
    return result;
  }
}
