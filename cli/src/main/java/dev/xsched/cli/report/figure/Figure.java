package dev.xsched.cli.report.figure;

import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Table;
import java.util.List;

/**
 * A figure ready to be shown.
 *
 * @param remarks what stands below it
 * @param csv all its numbers, those of paper and goals, too
 */
public record Figure(
    String id,
    String title,
    List<Chart> charts,
    List<TitledTable> tables,
    List<String> remarks,
    String csv) {
  /** A table in the place of a chart. */
  public record TitledTable(String title, Table table) {}
}
