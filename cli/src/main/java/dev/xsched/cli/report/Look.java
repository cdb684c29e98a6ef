package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.List;

/**
 * How a series looks: what it is gives hue and marker, where it comes from gives the rest.
 *
 * @param hue a number for each thing that is compared
 */
public record Look(int hue, Origin origin) {
  /** The style sheet has as many. */
  public static final int HUES = 8;

  /** Outlines around (0, 0) within a circle of radius 1. */
  private static final List<String> SHAPES =
      List.of(
          "M-1 0A1 1 0 1 1 1 0A1 1 0 1 1 -1 0Z",
          "M-.85 -.85H.85V.85H-.85Z",
          "M0 -1.1L1 .75H-1Z",
          "M0 -1.2L1.2 0L0 1.2L-1.2 0Z",
          "M0 1.1L1 -.75H-1Z",
          "M-.4 -1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
          "M-1.1 -.5H1.1V.5H-1.1Z",
          "M-.5 -1.1H.5V1.1H-.5Z");

  private static final String CROSS = "M-1.8 0H1.8M0 -1.8V1.8";

  String classes(String role) {
    return "%s h%d %s".formatted(role, hue % HUES, origin.word());
  }

  Element marker(double x, double y, double radius) {
    String shape = origin == Origin.GOAL ? CROSS : SHAPES.get(hue % SHAPES.size());
    return Markup.element("path")
        .with("class", classes("mark"))
        .with("d", shape)
        .with("vector-effect", "non-scaling-stroke")
        .with(
            "transform",
            "translate(%s %s) scale(%s)"
                .formatted(Numbers.fixed(x, 1), Numbers.fixed(y, 1), Numbers.fixed(radius, 1)));
  }

  Element stroke(String element) {
    return Markup.element(element)
        .with("class", classes("line"))
        .with("stroke-dasharray", origin.dash());
  }
}
