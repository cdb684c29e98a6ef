package dev.xsched.bench.record;

import dev.xsched.bench.record.Curve.Kind;
import dev.xsched.bench.record.Curve.Point;
import dev.xsched.bench.record.Curve.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads what a record gives to the figures. What cannot be drawn is left out, and noted. */
final class SeriesReader {
  /** It becomes part of a file's name. */
  private static final Pattern FIGURE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9.-]{0,30}");

  private SeriesReader() {}

  static List<Curve> read(JsonNode nodes, List<String> notes) {
    List<Curve> series = new ArrayList<>();
    for (JsonNode node : nodes) {
      try {
        series.add(curve(node));
      } catch (IllegalArgumentException e) {
        notes.add(
            "a series of figure '%s' is left out: %s"
                .formatted(RecordReader.text(node, "figure"), e.getMessage()));
      }
    }
    return series;
  }

  private static Curve curve(JsonNode node) {
    String figure = RecordReader.text(node, "figure");
    if (!FIGURE.matcher(figure).matches()) {
      throw new IllegalArgumentException("that is no name of a figure");
    }
    Kind kind = oneOf(Kind.class, RecordReader.text(node, "kind"));
    List<Point> points = points(node.path("points"), kind);
    if (points.isEmpty()) {
      throw new IllegalArgumentException("it has no points");
    }
    String source = RecordReader.text(node, "source");
    return new Curve(
        figure,
        RecordReader.text(node, "panel"),
        RecordReader.text(node, "name"),
        kind,
        source.isEmpty() ? Source.MEASURED : oneOf(Source.class, source),
        RecordReader.text(node, "unit"),
        RecordReader.text(node, "x_label"),
        RecordReader.text(node, "y_label"),
        points);
  }

  private static List<Point> points(JsonNode nodes, Kind kind) {
    List<Point> points = new ArrayList<>();
    for (JsonNode node : nodes) {
      point(node, kind, points.size()).ifPresent(points::add);
    }
    return points;
  }

  private static Optional<Point> point(JsonNode node, Kind kind, int place) {
    JsonNode x = node.path(0);
    JsonNode y = node.path(1);
    if (!y.isNumber() || (kind != Kind.BAR && !x.isNumber())) {
      return Optional.empty();
    }
    String label = x.isString() ? x.asString() : x.toString();
    return Optional.of(new Point(label, kind == Kind.BAR ? place : x.asDouble(), y.asDouble()));
  }

  private static <E extends Enum<E>> E oneOf(Class<E> type, String word) {
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(word)) {
        return value;
      }
    }
    throw new IllegalArgumentException("'%s' is unknown".formatted(word));
  }
}
