package dev.xsched.policy;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Everything a user can tell a policy, declared once: range, unit, default and meaning. The command
 * line, the C interface, REST and the documentation take their limits from here.
 */
public enum Hint {
  PRIORITY(Scope.QUEUE, -256, 255, 0, "higher is more important; -256 means do not execute"),
  UTILIZATION(Scope.QUEUE, 0, 100, 100, "percent of the device's time"),
  DEADLINE(Scope.QUEUE, 1, Hint.UNSET, Hint.UNSET, "microseconds after the queue turned ready"),
  LAXITY(Scope.QUEUE, 0, Hint.UNSET, Hint.UNSET, "microseconds a ready queue can wait unharmed"),
  LAX_PRIORITY(Scope.QUEUE, -255, 255, 0, "priority while laxity is left"),
  CRITICAL_PRIORITY(Scope.QUEUE, -255, 255, 0, "priority once the laxity is used up"),
  TIMESLICE(Scope.SYSTEM, 100, 10_000_000, 5_000, "microseconds of one slice"),
  K(Scope.SYSTEM, 1, Integer.MAX_VALUE, 1, "how many queues run at once"),
  WINDOW_ACTIVE(
      Scope.SYSTEM, 0, Integer.MAX_VALUE, 0, "pid that owns the active window, 0 for none"),
  SLO_P99(
      Scope.QUEUE, 1, Hint.UNSET, Hint.UNSET, "microseconds that 99 of 100 requests stay within"),
  SLO_RATIO(
      Scope.QUEUE,
      1_000,
      Hint.UNSET,
      Hint.UNSET,
      "the same in thousandths of what they take alone, 1050 for 1.05x");

  /** Stands for "none" where a hint has no default. */
  public static final long UNSET = Long.MAX_VALUE;

  /** The priority that keeps a queue from executing at all. */
  public static final int NO_EXECUTE = -256;

  /** Whether a hint belongs to one queue or to the whole system. */
  public enum Scope {
    QUEUE,
    SYSTEM
  }

  private final Scope scope;
  private final long min;
  private final long max;
  private final long defaultValue;
  private final String meaning;

  Hint(Scope scope, long min, long max, long defaultValue, String meaning) {
    this.scope = scope;
    this.min = min;
    this.max = max;
    this.defaultValue = defaultValue;
    this.meaning = meaning;
  }

  public Scope scope() {
    return scope;
  }

  public long min() {
    return min;
  }

  public long max() {
    return max;
  }

  public long defaultValue() {
    return defaultValue;
  }

  /** What the number means, with its unit. */
  public String meaning() {
    return meaning;
  }

  /** The name as users write it: lower case, with dashes. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the hint of that label. */
  public static Hint of(String label) {
    return Arrays.stream(values())
        .filter(h -> h.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown hint '%s'; choose one of %s"
                        .formatted(
                            label,
                            Arrays.stream(values())
                                .map(Hint::label)
                                .collect(Collectors.joining(", ")))));
  }

  /** Returns the value, or throws with a message that names the valid range. */
  public long check(long value) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s %d is out of range; give %s (%s)".formatted(label(), value, range(), meaning));
    }
    return value;
  }

  /** As {@link #check(long)}, and the hint must be of that scope. */
  public long check(Scope wanted, long value) {
    if (scope != wanted) {
      throw new IllegalArgumentException(
          scope == Scope.SYSTEM
              ? "%s is a hint for the whole system, not for one queue".formatted(label())
              : "%s is a hint for one queue; name the queue".formatted(label()));
    }
    return check(value);
  }

  private String range() {
    return max == UNSET ? "%d or more".formatted(min) : "%d to %d".formatted(min, max);
  }
}
