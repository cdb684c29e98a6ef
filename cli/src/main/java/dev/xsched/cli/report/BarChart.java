package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A chart of bars in groups as SVG. What is aimed at is no bar but a stroke across its group.
 *
 * @param groups the names below the groups
 */
public record BarChart(Heading heading, List<String> groups, Axis y, List<Series> series)
    implements Chart {
  /** Bars of one kind, by the name of the group. */
  public record Series(String name, Look look, Map<String, Double> values) {}

  private static final double GAP = 0.24;
  private static final int SLOT = 30;
  private static final double HATCH = 5;
  private static final double LINE = 13;

  @Override
  public Element markup() {
    Sheet sheet = sheet();
    List<Markup> parts = new ArrayList<>(sheet.rows(y));
    parts.add(
        Sheet.rule(Sheet.LEFT, zero(sheet), sheet.right(), zero(sheet)).with("class", "base"));
    for (int i = 0; i < groups.size(); i++) {
      parts.addAll(name(sheet, i));
    }
    List<Series> bars = series.stream().filter(s -> !goal(s)).toList();
    bars.forEach(s -> parts.add(bars(sheet, s)));
    series.stream().filter(BarChart::goal).forEach(s -> parts.add(strokes(sheet, s)));
    bars.forEach(s -> parts.addAll(values(sheet, s))); // Last, so that nothing hides them.
    return sheet
        .picture(
            heading,
            "%s of %s: %s"
                .formatted(
                    y.label(),
                    String.join(", ", groups),
                    String.join("; ", keys().stream().map(Legend.Key::text).toList())))
        .add(parts);
  }

  @Override
  public List<Legend.Key> keys() {
    return series.stream().map(BarChart::key).toList();
  }

  private static Legend.Key key(Series series) {
    return new Legend.Key(series.name(), series.look(), true);
  }

  @Override
  public int width() {
    return sheet().width();
  }

  @Override
  public int height() {
    return sheet().height();
  }

  private static boolean goal(Series series) {
    return series.look().origin() == Origin.GOAL;
  }

  /** The bars of a group, side by side: no place is kept for those that it does not have. */
  private List<Series> in(String group) {
    return series.stream().filter(s -> !goal(s) && s.values().containsKey(group)).toList();
  }

  private int most() {
    return groups.stream().mapToInt(group -> in(group).size()).max().orElse(1);
  }

  /** As wide as its bars need. */
  private Sheet sheet() {
    double needed = Sheet.LEFT + Sheet.RIGHT + groups.size() * (most() + 1.0) * SLOT;
    int width = (int) Math.clamp(needed, Sheet.PANEL.width(), 2 * Sheet.PANEL.width());
    return new Sheet(width, Sheet.PANEL.height());
  }

  private double groupWidth(Sheet sheet) {
    return (sheet.right() - Sheet.LEFT) / groups.size();
  }

  private List<Element> name(Sheet sheet, int group) {
    double room = groupWidth(sheet);
    double middle = Sheet.LEFT + (group + 0.5) * room;
    List<Element> lines = new ArrayList<>();
    for (String line : wrapped(groups.get(group), (int) Math.max(4, room / Sheet.LETTER))) {
      double y = sheet.bottom() + 16 + lines.size() * LINE;
      lines.add(Sheet.text(middle, y, "middle", line));
    }
    return lines;
  }

  /** At most three lines. */
  private static List<String> wrapped(String text, int letters) {
    List<String> lines = new ArrayList<>();
    for (String word : text.strip().split("\\s+", -1)) {
      String last = lines.isEmpty() ? "" : lines.getLast();
      if (!last.isEmpty() && last.length() + 1 + word.length() <= letters) {
        lines.set(lines.size() - 1, last + " " + word);
      } else if (lines.size() < 3) {
        lines.add(Sheet.shortened(word, letters));
      } else {
        lines.set(2, Sheet.shortened(last + "…", letters));
        break;
      }
    }
    return lines;
  }

  private Element bars(Sheet sheet, Series bars) {
    Element all =
        Markup.element("g")
            .with("class", "series")
            .add(Markup.element("title").text(key(bars).text()));
    double thick = Math.min(slot(sheet) * 0.86, 46);
    for (int i = 0; i < groups.size(); i++) {
      Double value = bars.values().get(groups.get(i));
      if (value != null) {
        double top = top(sheet, value);
        double height = Math.max(1, Math.abs(sheet.py(y, value) - zero(sheet)));
        all = all.add(bar(bars.look(), middle(sheet, bars, i) - thick / 2, top, thick, height));
      }
    }
    return all;
  }

  private List<Element> values(Sheet sheet, Series bars) {
    List<Element> values = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      Double value = bars.values().get(groups.get(i));
      if (value != null) {
        values.add(
            Sheet.text(
                    middle(sheet, bars, i), top(sheet, value) - 4, "middle", Numbers.brief(value))
                .with("class", slot(sheet) < 26 ? "value small" : "value"));
      }
    }
    return values;
  }

  private double slot(Sheet sheet) {
    return groupWidth(sheet) * (1 - GAP) / most();
  }

  private double middle(Sheet sheet, Series bars, int group) {
    List<Series> beside = in(groups.get(group));
    double place = beside.indexOf(bars) - (beside.size() - 1) / 2.0;
    return Sheet.LEFT + (group + 0.5) * groupWidth(sheet) + place * Math.min(slot(sheet), 54);
  }

  private double zero(Sheet sheet) {
    return sheet.py(y, y.logarithmic() ? y.from() : 0);
  }

  private double top(Sheet sheet, double value) {
    return Math.min(zero(sheet), sheet.py(y, value));
  }

  private Element strokes(Sheet sheet, Series goal) {
    Element all = Markup.element("g").with("class", "series");
    for (int group = 0; group < groups.size(); group++) {
      Double value = goal.values().get(groups.get(group));
      if (value != null) {
        double left = Sheet.LEFT + group * groupWidth(sheet);
        all =
            all.add(
                goal.look()
                    .stroke("line")
                    .with("x1", left + 3)
                    .with("x2", left + groupWidth(sheet) - 3)
                    .with("y1", sheet.py(y, value))
                    .with("y2", sheet.py(y, value)));
      }
    }
    return all;
  }

  /** A bar filled as its origin asks for: full, hatched or hollow. */
  static Element bar(Look look, double x, double y, double width, double height) {
    if (look.origin() == Origin.GOAL) {
      return look.stroke("line")
          .with("x1", x - 2)
          .with("x2", x + width + 2)
          .with("y1", y + height / 2)
          .with("y2", y + height / 2);
    }
    Element rect =
        Markup.element("rect")
            .with("class", look.classes("bar"))
            .with("x", x)
            .with("y", y)
            .with("width", width)
            .with("height", height);
    if (look.origin() == Origin.PAPER) {
      rect = rect.with("stroke-dasharray", "2 2");
    }
    return look.origin() == Origin.SIMULATED
        ? Markup.element("g")
            .add(
                rect,
                Markup.element("path")
                    .with("class", look.classes("hatch"))
                    .with("d", hatch(x, y, width, height)))
        : rect;
  }

  /**
   * Strokes from the lower left to the upper right, cut at the bar's edges. Not a pattern: that
   * would need a name that is the only one on its page.
   */
  private static String hatch(double x, double y, double width, double height) {
    StringBuilder path = new StringBuilder();
    for (double offset = HATCH; offset < width + height; offset += HATCH) {
      double fromX = Math.max(0, offset - height);
      double toX = Math.min(width, offset);
      path.append('M')
          .append(Numbers.fixed(x + fromX, 1))
          .append(' ')
          .append(Numbers.fixed(y + offset - fromX, 1))
          .append('L')
          .append(Numbers.fixed(x + toX, 1))
          .append(' ')
          .append(Numbers.fixed(y + offset - toX, 1));
    }
    return path.toString();
  }
}
