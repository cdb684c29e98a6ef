package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.ArrayList;
import java.util.List;

/** What all charts have in common: the sheet, what stands above it, and the grid. */
record Sheet(int width, int height) {
  static final Sheet PANEL = new Sheet(460, 310);

  static final int LEFT = 58;
  static final int RIGHT = 18;
  static final int TOP = 54;
  static final int BOTTOM = 50;

  /** About the width of a letter at the size that the style sheet gives. */
  static final double LETTER = 6.6;

  /** A chart is never shown larger than this, so that all have letters of the same size. */
  private static final double LARGEST = 1.1;

  double right() {
    return width - RIGHT;
  }

  double bottom() {
    return height - BOTTOM;
  }

  /** A picture with everything but the data. */
  Element picture(Heading heading, String description) {
    Element svg =
        Markup.element("svg")
            .with("viewBox", "0 0 %d %d".formatted(width, height))
            .with("class", width > PANEL.width ? "wide-chart" : "chart")
            .with("style", "max-width: %dpx".formatted(Math.round(width * LARGEST)))
            .with("role", "img")
            .add(
                Markup.element("title").text(heading.spoken()),
                Markup.element("desc").text(description));
    double x = right();
    for (String label : heading.labels().reversed()) {
      double room = label.length() * LETTER + 14;
      x -= room;
      svg = svg.add(badge(x, room, label));
      x -= 6;
    }
    String title = shortened(heading.title(), (int) ((x - 6) / 7.4));
    return svg.add(
        text(4, 17, "start", title).with("class", "chart-title"),
        text(4, 36, "start", shortened(heading.note(), (int) (width / 5.9))).with("class", "soft"));
  }

  private static Element badge(double x, double room, String label) {
    return Markup.element("g")
        .with("class", "chart-label")
        .add(
            Markup.element("rect")
                .with("x", x)
                .with("y", 3.5)
                .with("width", room)
                .with("height", 18)
                .with("rx", 9),
            text(x + room / 2, 16.5, "middle", label));
  }

  /** The rows of the grid and what stands at their left. */
  List<Markup> rows(Axis y) {
    List<Markup> parts = new ArrayList<>();
    for (double tick : y.ticks()) {
      parts.add(rule(LEFT, py(y, tick), right(), py(y, tick)));
      parts.add(text(LEFT - 7, py(y, tick) + 4, "end", y.text(tick)));
    }
    double middle = (TOP + bottom()) / 2;
    parts.add(
        text(13, middle, "middle", shortened(y.label(), 42))
            .with("class", "soft")
            .with("transform", "rotate(-90 13 " + Numbers.fixed(middle, 1) + ")"));
    return parts;
  }

  Element below(String label) {
    return text((LEFT + right()) / 2, height - 8.0, "middle", label).with("class", "soft");
  }

  double py(Axis y, double value) {
    return bottom() - y.position(value) * (bottom() - TOP);
  }

  static Element rule(double x1, double y1, double x2, double y2) {
    return Markup.element("line")
        .with("class", "grid")
        .with("x1", x1)
        .with("y1", y1)
        .with("x2", x2)
        .with("y2", y2);
  }

  static Element text(double x, double y, String anchor, String text) {
    return Markup.element("text").with("x", x).with("y", y).with("text-anchor", anchor).text(text);
  }

  static String shortened(String text, int letters) {
    return text.length() <= letters ? text : text.substring(0, Math.max(1, letters - 1)) + "…";
  }
}
