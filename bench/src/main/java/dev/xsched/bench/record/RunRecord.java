package dev.xsched.bench.record;

import dev.xsched.bench.StandIns;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One record of a measurement, with every field that an older one lacks filled in.
 *
 * @param file its name in the folder, to point at
 * @param date in UTC as it was written, or empty
 * @param device what it ran on in a word or two
 * @param results numbers ({@code Double}) and texts by name
 */
public record RunRecord(
    String file,
    String testId,
    String testName,
    String date,
    Map<String, String> hardware,
    Map<String, String> runtime,
    String version,
    String commit,
    String command,
    String device,
    boolean simulated,
    boolean quick,
    State state,
    Map<String, String> configuration,
    Map<String, Object> results,
    List<Curve> series,
    List<Criterion> criteria,
    List<String> notes) {

  /** Whether the run reached its end, and whether it proves anything. */
  public enum State {
    COMPLETE,
    PARTIAL,
    INVALID
  }

  /**
   * What was asked for and what came out.
   *
   * @param paper what the paper reports, or empty
   * @param value a number ({@code Double}) or a text
   * @param goalOnly whether it is a stretch goal, which decides nothing
   */
  public record Criterion(
      String name, String goal, String paper, Object value, boolean pass, boolean goalOnly) {
    /** Not a number where there was nothing to judge, or a text. */
    public double number() {
      return value instanceof Double number ? number : Double.NaN;
    }
  }

  /** What the reader must be told wherever a number of it stands. */
  public List<String> labels() {
    return labels(simulated, hardware, quick);
  }

  /** The same of one that is not written yet. */
  public static List<String> labels(
      boolean simulated, Map<String, String> hardware, boolean quick) {
    return Stream.of(
            simulated ? "simulated" : "",
            StandIns.isOne(hardware) ? "stand-in" : "",
            quick ? "quick" : "")
        .filter(label -> !label.isEmpty())
        .toList();
  }

  /** Device and labels in one line. */
  public String labelledDevice() {
    return labels().isEmpty() ? device : device + " (" + String.join(", ", labels()) + ")";
  }

  /** Whether it was measured to its end, and every criterion that decides is met. */
  public boolean pass() {
    return state == State.COMPLETE
        && !criteria.isEmpty()
        && deciding().stream().allMatch(Criterion::pass);
  }

  /** The criteria that decide, without stretch goals. */
  public List<Criterion> deciding() {
    return criteria.stream().filter(c -> !c.goalOnly()).toList();
  }
}
