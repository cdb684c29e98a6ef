package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart of lines as SVG. Colours come from the page's style sheet, so that they follow its light
 * or dark scheme; dashes tell the lines apart where colours do not.
 */
public record LineChart(String title, Axis x, Axis y, List<Series> series) {
  /** A point in the axes' own values. */
  public record Point(double x, double y) {}

  /**
   * A named line.
   *
   * @param marks points on it that deserve a dot
   */
  public record Series(String name, List<Point> points, List<Point> marks) {}

  private static final int WIDTH = 760;
  private static final int HEIGHT = 400;
  private static final int LEFT = 62;
  private static final int RIGHT = 16;
  private static final int TOP = 64;
  private static final int BOTTOM = 52;
  private static final List<String> DASHES = List.of("none", "7 4", "2 3", "10 3 2 3");

  /** As part of a page. */
  public Element markup() {
    List<Markup> parts = new ArrayList<>();
    parts.add(label(LEFT, 18, "start", title));
    grid(parts);
    for (int i = 0; i < series.size(); i++) {
      parts.add(line(i));
      parts.addAll(marks(i));
      parts.add(legend(i));
    }
    return Markup.element("svg")
        .with("viewBox", "0 0 %d %d".formatted(WIDTH, HEIGHT))
        .with("role", "img")
        .with("aria-label", title)
        .add(parts);
  }

  private void grid(List<Markup> parts) {
    double bottom = HEIGHT - BOTTOM;
    for (double tick : x.ticks()) {
      parts.add(rule(px(tick), TOP, px(tick), bottom));
      parts.add(label(px(tick), bottom + 18, "middle", x.text(tick)));
    }
    for (double tick : y.ticks()) {
      parts.add(rule(LEFT, py(tick), WIDTH - RIGHT, py(tick)));
      parts.add(label(LEFT - 8, py(tick) + 4, "end", y.text(tick)));
    }
    parts.add(label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", x.label()));
    double middle = (TOP + bottom) / 2.0;
    parts.add(
        label(14, middle, "middle", y.label())
            .with("transform", "rotate(-90 14 " + Numbers.fixed(middle, 1) + ")"));
  }

  private Element line(int index) {
    StringBuilder path = new StringBuilder();
    for (Point point : series.get(index).points()) {
      path.append(path.isEmpty() ? 'M' : 'L')
          .append(Numbers.fixed(px(point.x()), 1))
          .append(' ')
          .append(Numbers.fixed(py(point.y()), 1));
    }
    return stroke("path", index).with("d", path).with("fill", "none");
  }

  private List<Element> marks(int index) {
    return series.get(index).marks().stream()
        .map(
            mark ->
                Markup.element("circle")
                    .with("class", "mark mark-" + index)
                    .with("cx", px(mark.x()))
                    .with("cy", py(mark.y()))
                    .with("r", 4))
        .toList();
  }

  private Element legend(int index) {
    double left = LEFT + index * (double) (WIDTH - LEFT - RIGHT) / Math.max(3, series.size());
    return Markup.element("g")
        .add(
            stroke("line", index)
                .with("x1", left)
                .with("y1", 42.0)
                .with("x2", left + 30)
                .with("y2", 42.0),
            label(left + 38, 46, "start", series.get(index).name()));
  }

  private static Element stroke(String name, int index) {
    return Markup.element(name)
        .with("class", "series series-" + index)
        .with("stroke-dasharray", DASHES.get(index % DASHES.size()));
  }

  private static Element rule(double x1, double y1, double x2, double y2) {
    return Markup.element("line")
        .with("class", "grid")
        .with("x1", x1)
        .with("y1", y1)
        .with("x2", x2)
        .with("y2", y2);
  }

  private static Element label(double x, double y, String anchor, String text) {
    return Markup.element("text").with("x", x).with("y", y).with("text-anchor", anchor).text(text);
  }

  private double px(double value) {
    return LEFT + x.position(value) * (WIDTH - LEFT - RIGHT);
  }

  private double py(double value) {
    return HEIGHT - BOTTOM - y.position(value) * (HEIGHT - BOTTOM - TOP);
  }
}
