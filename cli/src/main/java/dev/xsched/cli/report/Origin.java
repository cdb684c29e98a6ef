package dev.xsched.cli.report;

import java.util.Locale;

/**
 * Where a number comes from. Each has its own tint, dash, marker and filling, so that a reader
 * tells them apart in colour, without colours and on grey paper.
 */
public enum Origin {
  MEASURED("none"),
  SIMULATED("7 3"),
  PAPER("1.5 3"),
  GOAL("10 4 2 4");

  private final String dash;

  Origin(String dash) {
    this.dash = dash;
  }

  String dash() {
    return dash;
  }

  /** As legend and style sheet name it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
