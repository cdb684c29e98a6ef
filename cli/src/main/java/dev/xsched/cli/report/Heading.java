package dev.xsched.cli.report;

import java.util.List;

/**
 * What stands above a chart.
 *
 * @param labels words that nobody must miss, such as "simulated"; they are part of the picture
 * @param note a line of small print, or empty
 */
public record Heading(String title, List<String> labels, String note) {
  /** For those who hear the page and do not see it. */
  String spoken() {
    String all = labels.isEmpty() ? title : title + " (" + String.join(", ", labels) + ")";
    return note.isEmpty() ? all : all + ". " + note;
  }
}
