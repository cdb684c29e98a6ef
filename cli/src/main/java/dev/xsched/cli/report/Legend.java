package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/** Tells what the lines and bars of charts stand for, and where each comes from. */
public record Legend(Collection<Key> keys) {
  /** A thing to explain. */
  public record Key(String name, Look look, boolean bar) {
    /** The name with its origin, unless that is the name. */
    String text() {
      String word = look.origin().word();
      if (name.isEmpty() || name.equals(word)) {
        return word;
      }
      return name.startsWith("(") ? word + " " + name : name + ", " + word;
    }

    private Element swatch() {
      if (bar) {
        return BarChart.bar(look, 3, 1, 28, 12);
      }
      Element line = look.stroke("line").with("x1", 1).with("y1", 7).with("x2", 33).with("y2", 7);
      return look.origin() == Origin.GOAL
          ? Markup.element("g").add(line)
          : Markup.element("g").add(line, look.marker(17, 7, 4));
    }
  }

  /** The distinct ones, in the order of the charts. */
  public static Legend of(List<? extends Chart> charts) {
    Collection<Key> keys = new LinkedHashSet<>();
    charts.forEach(chart -> keys.addAll(chart.keys()));
    return new Legend(keys);
  }

  /** For a page: wraps as text does. */
  public Element markup() {
    Element list = Markup.element("ul").with("class", "legend");
    for (Key key : keys) {
      Element swatch =
          Markup.element("svg")
              .with("class", "swatch")
              .with("viewBox", "0 0 34 14")
              .with("aria-hidden", "true")
              .add(key.swatch());
      list = list.add(Markup.element("li").add(swatch, new Markup.Text(key.text())));
    }
    return list;
  }

  /** For a picture of its own. */
  Element svg(int width) {
    Element group = Markup.element("svg").with("width", width).with("height", height(width));
    double x = 4;
    double y = 4;
    for (Key key : keys) {
      double room = room(key);
      if (x > 4 && x + room > width) {
        x = 4;
        y += 20;
      }
      group =
          group.add(
              Markup.element("g")
                  .with(
                      "transform",
                      "translate(%s %s)".formatted(Numbers.fixed(x, 1), Numbers.fixed(y, 1)))
                  .add(key.swatch(), Sheet.text(40, 11.5, "start", key.text())));
      x += room;
    }
    return group;
  }

  int height(int width) {
    double x = 4;
    int rows = 1;
    for (Key key : keys) {
      if (x > 4 && x + room(key) > width) {
        x = 4;
        rows++;
      }
      x += room(key);
    }
    return 8 + rows * 20;
  }

  private static double room(Key key) {
    return 58 + key.text().length() * Sheet.LETTER;
  }
}
