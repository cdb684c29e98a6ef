package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class BarChartTest {
  private static BarChart chart(BarChart.Series... series) {
    return new BarChart(
        new Heading("sim:x", List.of("simulated", "quick"), ""),
        List.of("Lv1", "Lv2"),
        Axis.linear("ms", -1, 10),
        List.of(series));
  }

  private static BarChart.Series series(Origin origin, Map<String, Double> values) {
    return new BarChart.Series("xsched", new Look(2, origin), values);
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void aBarIsAsHighAsItsValueAndStandsOnZero() throws Exception {
    Document svg =
        Xml.parse(
            chart(series(Origin.MEASURED, Map.of("Lv1", 8.0, "Lv2", -0.8))).markup().render());
    List<Element> bars = Xml.all(svg, "rect", "bar");
    assertThat(bars).hasSize(2);
    double up = number(bars.getFirst(), "height");
    double down = number(bars.getLast(), "height");
    assertThat(up / down).isBetween(9.9, 10.1);
    assertThat(number(bars.getFirst(), "y") + up)
        .isCloseTo(number(bars.getLast(), "y"), within(0.02));
    assertThat(Xml.texts(svg)).contains("8", "-0.8", "Lv1", "Lv2", "ms");
  }

  @Test
  void originsDifferInFilling() throws Exception {
    Map<String, Double> one = Map.of("Lv1", 1.0);
    Document measured = Xml.parse(chart(series(Origin.MEASURED, one)).markup().render());
    Document simulated = Xml.parse(chart(series(Origin.SIMULATED, one)).markup().render());
    Document paper = Xml.parse(chart(series(Origin.PAPER, one)).markup().render());
    assertThat(Xml.all(measured, "path", "hatch")).isEmpty();
    assertThat(Xml.all(simulated, "path", "hatch")).hasSize(1);
    assertThat(Xml.all(paper, "rect", "bar").getFirst().getAttribute("stroke-dasharray"))
        .isNotEmpty();
  }

  @Test
  void aGoalIsAStrokeAndNoBar() throws Exception {
    Document svg = Xml.parse(chart(series(Origin.GOAL, Map.of("Lv1", 4.0))).markup().render());
    assertThat(Xml.all(svg, "rect", "bar")).isEmpty();
    assertThat(Xml.all(svg, "line", "goal")).hasSize(1);
  }

  @Test
  void labelsAreInThePicture() throws Exception {
    Document svg = Xml.parse(chart(series(Origin.MEASURED, Map.of("Lv1", 1.0))).markup().render());
    assertThat(Xml.texts(svg)).contains("simulated", "quick", "sim:x");
    assertThat(Xml.all(svg, "title").getFirst().getTextContent()).contains("simulated");
  }

  @Test
  void thePictureOfItsOwnHasItsLegendAndItsColours() throws Exception {
    String file = Page.figure(chart(series(Origin.PAPER, Map.of("Lv1", 1.0))));
    Document svg = Xml.parse(file);
    assertThat(svg.getDocumentElement().getAttribute("xmlns")).contains("svg");
    assertThat(Xml.texts(svg)).contains("xsched, paper");
    assertThat(Xml.all(svg, "style").getFirst().getTextContent()).contains("--s2");
  }
}
