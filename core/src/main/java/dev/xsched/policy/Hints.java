package dev.xsched.policy;

import java.util.Arrays;

/** The hints of one queue, or of the system, and where each value came from. Immutable. */
public final class Hints {
  /** Who set a hint. The last one to set it wins. */
  public enum Source {
    DEFAULT,
    APPLICATION,
    ENVIRONMENT,
    COMMAND_LINE,
    REST,
    WEB
  }

  /** Every hint at its default. */
  public static final Hints DEFAULT = new Hints(defaults(), sources());

  private final long[] values;
  private final Source[] sources;

  // Policies ask every queue for these at every decision: it saves them a walk through memory.
  private final int priority;
  private final int utilization;
  private final boolean goal;

  private Hints(long[] values, Source[] sources) {
    this.values = values;
    this.sources = sources;
    this.priority = (int) values[Hint.PRIORITY.ordinal()];
    this.utilization = (int) values[Hint.UTILIZATION.ordinal()];
    this.goal =
        values[Hint.SLO_P99.ordinal()] != Hint.UNSET
            || values[Hint.SLO_RATIO.ordinal()] != Hint.UNSET;
  }

  /** Returns these hints with one of them changed. Throws if the value is out of range. */
  public Hints with(Hint hint, long value, Source source) {
    long[] newValues = values.clone();
    Source[] newSources = sources.clone();
    newValues[hint.ordinal()] = hint.check(value);
    newSources[hint.ordinal()] = source;
    return new Hints(newValues, newSources);
  }

  public long get(Hint hint) {
    return values[hint.ordinal()];
  }

  public Source source(Hint hint) {
    return sources[hint.ordinal()];
  }

  public int priority() {
    return priority;
  }

  /** Percent of the device's time. */
  public int utilization() {
    return utilization;
  }

  /** Whether it is to keep a latency, as a time or as a ratio. */
  public boolean hasGoal() {
    return goal;
  }

  public boolean executes() {
    return priority != Hint.NO_EXECUTE;
  }

  /** Returns a hint given in microseconds as nanoseconds; {@link Hint#UNSET} stays what it is. */
  public long nanos(Hint hint) {
    long micros = get(hint);
    return micros > Long.MAX_VALUE / 1_000 ? Hint.UNSET : micros * 1_000;
  }

  private static long[] defaults() {
    return Arrays.stream(Hint.values()).mapToLong(Hint::defaultValue).toArray();
  }

  private static Source[] sources() {
    Source[] all = new Source[Hint.values().length];
    Arrays.fill(all, Source.DEFAULT);
    return all;
  }
}
