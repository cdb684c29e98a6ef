package dev.xsched.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one measurement leaves behind: enough to judge it and to run it again. Written as JSON with
 * snake_case names; the names are the contract of {@code report} and {@code compare}.
 *
 * @param hardware what it ran on, such as the processor and its cores
 * @param runtime versions of what lies below us: Java, driver, runtime library
 * @param command how to run it again
 * @param device as users name it, such as "sim:gv100"; empty where none was measured
 * @param simulated whether times come from a device model
 * @param quick whether this is the shorter version, to see that it works
 * @param state whether it can be relied on; what is wrong is in the notes
 * @param results flat: a name and a number or a text
 * @param series what figures are drawn from
 * @param pass whether it is complete and every criterion is met that is more than a goal
 */
public record ResultRecord(
    String testId,
    String testName,
    Instant date,
    Map<String, String> hardware,
    Map<String, String> runtime,
    String xschedVersion,
    String commit,
    String command,
    String device,
    boolean simulated,
    boolean quick,
    String state,
    Map<String, String> configuration,
    Map<String, Object> results,
    List<Series> series,
    List<Criterion> criteria,
    boolean pass,
    List<String> notes) {

  /** All of it was measured. */
  public static final String COMPLETE = "complete";

  /** It ended early. */
  public static final String PARTIAL = "partial";

  /** It was measured, but says nothing: no contention, or an idle device. */
  public static final String INVALID = "invalid";

  /**
   * What was asked for and what came out.
   *
   * @param paper what the paper or a field report has, if anything
   * @param value not a number if there was nothing to judge
   * @param goalOnly whether it is a goal to strive for, which does not decide
   */
  public record Criterion(
      String name,
      String goal,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String paper,
      double value,
      boolean pass,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean goalOnly) {
    /** One that decides and that nobody else has a number for. */
    public Criterion(String name, String goal, double value, boolean pass) {
      this(name, goal, null, value, pass, false);
    }
  }

  /**
   * One line, set of bars or distribution of a figure.
   *
   * @param figure of the paper, such as "9-top", or of the field tests, such as "F.1"
   * @param panel which part of the figure, if it has several
   * @param kind "cdf", "bar" or "line"
   * @param source "measured", "paper" or "goal"
   * @param points pairs; of a bar the first is a text
   */
  public record Series(
      String figure,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String panel,
      String name,
      String kind,
      String source,
      String unit,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String xLabel,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String yLabel,
      List<List<Object>> points) {
    public Series {
      points = List.copyOf(points);
    }
  }

  public ResultRecord {
    date = date.truncatedTo(ChronoUnit.SECONDS);
  }

  /** One of the measurements of our own speed, which have no figures and no device. */
  public ResultRecord(
      String testId,
      String testName,
      Instant date,
      Map<String, String> hardware,
      Map<String, String> runtime,
      String xschedVersion,
      String commit,
      String command,
      boolean quick,
      Map<String, String> configuration,
      Map<String, Object> results,
      List<Criterion> criteria,
      List<String> notes) {
    this(
        testId,
        testName,
        date,
        hardware,
        runtime,
        xschedVersion,
        commit,
        command,
        "",
        false,
        quick,
        COMPLETE,
        configuration,
        results,
        List.of(),
        criteria,
        passes(criteria),
        notes);
  }

  /** Whether every criterion is met that is more than a goal. */
  public static boolean passes(List<Criterion> criteria) {
    return criteria.stream().allMatch(c -> c.pass() || c.goalOnly());
  }
}
