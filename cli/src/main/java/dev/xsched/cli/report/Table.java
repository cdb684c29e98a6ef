package dev.xsched.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * A table for the terminal and for the page. The first column is text, the others are numbers and
 * stand to the right.
 */
public record Table(List<String> header, List<List<String>> rows) {
  public Table {
    header = List.copyOf(header);
    rows = List.copyOf(rows);
    for (List<String> row : rows) {
      if (row.size() != header.size()) {
        throw new IllegalArgumentException("row " + row + " does not fit under " + header);
      }
    }
  }

  /** Returns the lines, the header first. */
  public List<String> lines() {
    List<List<String>> all = new ArrayList<>();
    all.add(header);
    all.addAll(rows);
    int[] widths = new int[header.size()];
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return all.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String cell = row.get(i);
      String padding = " ".repeat(widths[i] - cell.length());
      line.append(i == 0 ? cell + padding : "  " + padding + cell);
    }
    return line.toString().stripTrailing();
  }

  public Markup.Element markup() {
    Markup.Element head = Markup.element("tr");
    for (String title : header) {
      head = head.add(Markup.element("th").with("scope", "col").text(title));
    }
    Markup.Element body = Markup.element("tbody");
    for (List<String> row : rows) {
      Markup.Element line = Markup.element("tr");
      for (String cell : row) {
        line = line.add(Markup.element("td").text(cell));
      }
      body = body.add(line);
    }
    return Markup.element("table").add(Markup.element("thead").add(head), body);
  }
}
