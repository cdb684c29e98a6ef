package dev.xsched.bench.record;

import java.util.List;

/**
 * One line or one set of bars of a figure, as the measurement left it.
 *
 * @param figure such as "9-top"
 * @param panel the part of the figure it belongs to, or empty
 * @param source whose numbers these are: of this run, of the paper, or what is aimed at
 */
public record Curve(
    String figure,
    String panel,
    String name,
    Kind kind,
    Source source,
    String unit,
    String xLabel,
    String yLabel,
    List<Point> points) {

  /** How it is drawn. */
  public enum Kind {
    CDF,
    BAR,
    LINE
  }

  /** Who says so. */
  public enum Source {
    MEASURED,
    PAPER,
    GOAL
  }

  /**
   * A value.
   *
   * @param label the name of a bar; of other kinds the text of x
   * @param x of a bar its place in the row
   */
  public record Point(String label, double x, double y) {}

  /** The same under another name. */
  public Curve named(String other) {
    return new Curve(figure, panel, other, kind, source, unit, xLabel, yLabel, points);
  }

  /** The same with other points. */
  public Curve with(List<Point> other) {
    return new Curve(figure, panel, name, kind, source, unit, xLabel, yLabel, other);
  }
}
