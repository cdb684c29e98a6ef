package dev.xsched.bench.judge;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.ResultRecord.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an experiment has found so far: the part of its record that is its own. */
public final class Findings {
  private final Map<String, String> configuration = new LinkedHashMap<>();
  private final Map<String, Object> results = new LinkedHashMap<>();
  private final List<Series> series = new ArrayList<>();
  private final List<Criterion> criteria = new ArrayList<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private boolean invalid;

  public Map<String, String> configuration() {
    return configuration;
  }

  public Map<String, Object> results() {
    return results;
  }

  public List<Series> series() {
    return series;
  }

  public List<Criterion> criteria() {
    return criteria;
  }

  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** Says something that a reader must know; once is enough. */
  public void note(String text) {
    notes.add(text);
  }

  /** Says that what was measured means nothing, and why. */
  public void invalid(String reason) {
    invalid = true;
    notes.add("invalid: " + reason);
  }

  public String state() {
    return invalid ? ResultRecord.INVALID : ResultRecord.COMPLETE;
  }

  /** An invalid measurement passes nothing, whatever its numbers are. */
  public boolean pass() {
    return !invalid && !criteria.isEmpty() && ResultRecord.passes(criteria);
  }

  public void configure(String name, String value) {
    configuration.put(name, value);
  }

  public void put(String name, Object value) {
    results.put(name, value);
  }

  /** Puts a number with its samples and its interval beside it, where there are any. */
  public void put(String name, Measure measure) {
    results.put(name, measure.value());
    if (measure.samples() > 0) {
      results.put(name + "_samples", measure.samples());
    }
    if (measure.hasInterval()) {
      results.put(name + "_ci_low", measure.low());
      results.put(name + "_ci_high", measure.high());
    }
  }

  /** Asks for less than that. */
  public void below(
      String name, Measure measure, double bound, String unit, @Nullable String paper) {
    judge(name, "< " + amount(bound, unit), paper, measure, measure.value() < bound, false);
  }

  /** Asks for more than that. */
  public void above(
      String name, Measure measure, double bound, String unit, @Nullable String paper) {
    judge(name, "> " + amount(bound, unit), paper, measure, measure.value() > bound, false);
  }

  /** Asks for a value from one bound to another, both included. */
  public void within(
      String name, Measure measure, double from, double to, String unit, @Nullable String paper) {
    judge(
        name,
        "%s to %s".formatted(plain(from), amount(to, unit)),
        paper,
        measure,
        measure.value() >= from && measure.value() <= to,
        false);
  }

  /** Wishes for less than that: a goal that does not decide. */
  public void goalBelow(
      String name, Measure measure, double bound, String unit, @Nullable String paper) {
    judge(name, "< " + amount(bound, unit), paper, measure, measure.value() < bound, true);
  }

  /** Asks for what is told apart in words. */
  public void holds(
      String name, String goal, Measure measure, boolean met, @Nullable String paper) {
    judge(name, goal, paper, measure, met, false);
  }

  private void judge(
      String name,
      String goal,
      @Nullable String paper,
      Measure measure,
      boolean met,
      boolean goalOnly) {
    measure
        .flaws()
        .forEach(flaw -> note("%s: not judged as met, because %s".formatted(name, flaw)));
    criteria.add(
        new Criterion(name, goal, paper, measure.value(), met && measure.sound(), goalOnly));
  }

  private static String amount(double value, String unit) {
    if (unit.isEmpty() || unit.equals("x")) {
      return plain(value) + unit;
    }
    return plain(value) + " " + unit;
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : Double.toString(Math.round(value * 1e6) / 1e6);
  }
}
