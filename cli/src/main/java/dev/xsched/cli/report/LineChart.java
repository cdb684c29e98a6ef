package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.ArrayList;
import java.util.List;

/** A chart of lines as SVG. Colours come from the page's style sheet, light or dark. */
public record LineChart(Heading heading, Axis x, Axis y, List<Series> series) implements Chart {
  /** A point in the axes' own values. */
  public record Point(double x, double y) {}

  /**
   * A named line.
   *
   * @param marks points on it that deserve a marker
   */
  public record Series(String name, Look look, List<Point> points, List<Point> marks) {}

  @Override
  public Element markup() {
    List<Markup> parts = new ArrayList<>();
    for (double tick : x.ticks()) {
      parts.add(Sheet.rule(px(tick), Sheet.TOP, px(tick), Sheet.PANEL.bottom()));
      parts.add(Sheet.text(px(tick), Sheet.PANEL.bottom() + 17, "middle", x.text(tick)));
    }
    parts.addAll(Sheet.PANEL.rows(y));
    parts.add(Sheet.PANEL.below(x.label()));
    for (Series line : series) {
      parts.add(draw(line));
    }
    return Sheet.PANEL
        .picture(heading, "%s over %s: %s".formatted(y.label(), x.label(), names()))
        .add(parts);
  }

  @Override
  public List<Legend.Key> keys() {
    return series.stream().map(LineChart::key).toList();
  }

  private static Legend.Key key(Series series) {
    return new Legend.Key(series.name(), series.look(), false);
  }

  @Override
  public int width() {
    return Sheet.PANEL.width();
  }

  @Override
  public int height() {
    return Sheet.PANEL.height();
  }

  private String names() {
    return String.join("; ", keys().stream().map(Legend.Key::text).toList());
  }

  private Element draw(Series line) {
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      path.append(path.isEmpty() ? 'M' : 'L')
          .append(Numbers.fixed(px(point.x()), 1))
          .append(' ')
          .append(Numbers.fixed(Sheet.PANEL.py(y, point.y()), 1));
    }
    Element group =
        Markup.element("g")
            .with("class", "series")
            .add(
                Markup.element("title").text(key(line).text()),
                line.look().stroke("path").with("d", path));
    for (Point mark : line.marks()) {
      group = group.add(line.look().marker(px(mark.x()), Sheet.PANEL.py(y, mark.y()), 4));
    }
    return group;
  }

  private double px(double value) {
    return Sheet.LEFT + x.position(value) * (Sheet.PANEL.right() - Sheet.LEFT);
  }
}
