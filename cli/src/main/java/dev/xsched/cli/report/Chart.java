package dev.xsched.cli.report;

import dev.xsched.cli.report.Markup.Element;
import java.util.List;

/** A picture of numbers, without its legend: several charts may share one. */
public sealed interface Chart permits LineChart, BarChart {
  Heading heading();

  /** What the legend must explain. */
  List<Legend.Key> keys();

  /** As part of a page. */
  Element markup();

  int width();

  int height();

  /** Whether it is too wide to stand beside another. */
  default boolean wide() {
    return width() > Sheet.PANEL.width();
  }
}
