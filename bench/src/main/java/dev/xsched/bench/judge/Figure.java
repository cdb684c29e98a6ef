package dev.xsched.bench.judge;

import dev.xsched.bench.ResultRecord.Series;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the series of one figure.
 *
 * @param id of the paper, such as "9-top"
 * @param panel which part of it, if it has several
 */
public record Figure(String id, @Nullable String panel, String unit, String xLabel, String yLabel) {
  public static final String MEASURED = "measured";
  public static final String PAPER = "paper";
  public static final String GOAL = "goal";

  /** A figure of latencies. */
  public static Figure ofLatencies(String id, @Nullable String panel) {
    return new Figure(id, panel, "ms", "latency (ms)", "fraction of requests");
  }

  /** A figure of bars. */
  public static Figure ofBars(String id, @Nullable String panel, String unit, String yLabel) {
    return new Figure(id, panel, unit, "", yLabel);
  }

  public Series cdf(String name, Latencies latencies) {
    return series(name, "cdf", MEASURED, latencies.cdf());
  }

  public Series bars(String name, String source, List<List<Object>> points) {
    return series(name, "bar", source, points);
  }

  public Series line(String name, String source, List<List<Object>> points) {
    return series(name, "line", source, points);
  }

  private Series series(String name, String kind, String source, List<List<Object>> points) {
    return new Series(id, panel, name, kind, source, unit, xLabel, yLabel, points);
  }
}
