package dev.xsched.daemon.api;

import java.util.Locale;

/**
 * Everything the daemon counts, declared once; the metrics, JSON and the page take it from here.
 */
public enum Statistic {
  DECISIONS(Kind.COUNTER, "", "times the policy was asked"),
  EVENTS(Kind.COUNTER, "", "changes between ready and idle that programs told"),
  PREEMPTIONS(Kind.COUNTER, "", "gates closed before a queue that was ready"),
  RESUMES(Kind.COUNTER, "", "gates opened before a queue that was ready"),
  CEILINGS_LOWERED(Kind.COUNTER, "", "times a ceiling was lowered after its queue turned idle"),
  GATE_CLOSED_NANOS(Kind.COUNTER, "nanoseconds", "time for which ready queues were held back"),
  SLICE_ORDERS(Kind.COUNTER, "", "times another time slice was ordered for a queue"),
  INTERRUPTS(Kind.COUNTER, "", "times the work of a queue was taken off its GPU"),
  RESTORES(Kind.COUNTER, "", "times interrupted work was put back"),
  INTERRUPT_NANOS(Kind.COUNTER, "nanoseconds", "time that interrupts and restores took to do"),
  PROGRAMS(Kind.GAUGE, "", "programs registered now"),
  PROGRAMS_SEEN(Kind.COUNTER, "", "programs that have registered"),
  PROGRAMS_ADOPTED(Kind.COUNTER, "", "programs that had registered with a daemon before this one"),
  REFUSED(Kind.COUNTER, "", "registrations refused: bad version, bad memory, bad message"),
  QUEUES_READY(Kind.GAUGE, "", "queues with work"),
  QUEUES_RUNNING(Kind.GAUGE, "", "queues with work whose gate is open"),
  QUEUES(Kind.GAUGE, "", "queues registered now"),
  FAULTS(Kind.COUNTER, "", "nonsense found in the memory of a program"),
  CPU_NANOS(Kind.COUNTER, "nanoseconds", "processor time that the daemon used");

  /** Whether a number only grows. */
  public enum Kind {
    COUNTER,
    GAUGE
  }

  private final Kind kind;
  private final String unit;
  private final String meaning;

  Statistic(Kind kind, String unit, String meaning) {
    this.kind = kind;
    this.unit = unit;
    this.meaning = meaning;
  }

  public Kind kind() {
    return kind;
  }

  /** The unit, empty for plain numbers. */
  public String unit() {
    return unit;
  }

  public String meaning() {
    return meaning;
  }

  /** The name as it stands in JSON. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
