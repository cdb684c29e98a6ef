package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PageTest {
  private static LineChart cdf(String name, Samples samples) {
    Heading heading = new Heading("chart", List.of("simulated"), "");
    return Cdf.chart(heading, Origin.SIMULATED, "ms", Map.of(name, samples));
  }

  @Test
  void textFromOutsideStaysText() throws Exception {
    String hostile = "<script>alert(\"1\")</script> & 'x'";
    String html = new Page(hostile).paragraph(hostile).bullets(List.of(hostile)).render();
    Document page = Xml.parse(html);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
    assertThat(page.getElementsByTagName("p").item(0).getTextContent()).isEqualTo(hostile);
  }

  @Test
  void aPageIsWellFormedAndLoadsNothing() throws Exception {
    String html =
        new Page("title")
            .badge("simulated")
            .heading("heading")
            .note("note")
            .table(new Table(List.of("a", "b"), List.of(List.of("1", "2"))))
            .chart(cdf("one", Samples.of(1, 2, 3)))
            .render();
    Document page = Xml.parse(html);
    assertThat(page.getElementsByTagName("svg").getLength()).as("chart and legend").isEqualTo(2);
    assertThat(html)
        .doesNotContain("http:", "https:", "//", "url(", "@import", "src=", "href=")
        .contains("prefers-color-scheme: dark");
  }

  @Test
  void theStyleNeedsNoEscapes() {
    // Browsers do not undo escapes inside of a style element.
    assertThat(new Page("t").render()).doesNotContain("&lt;", "&gt;", "&amp;", "&quot;");
  }

  @Test
  void aDistributionEndsAtItsSlowestSample() throws Exception {
    double[] many = new double[10_000];
    many[many.length - 1] = 50;
    LineChart chart = cdf("many", Samples.of(many));
    List<LineChart.Point> points = chart.series().getFirst().points();
    assertThat(points).hasSizeLessThan(500).last().isEqualTo(new LineChart.Point(50, 1));
    assertThat(Xml.parse(chart.markup().render()).getElementsByTagName("path").getLength())
        .as("the line and the marker")
        .isEqualTo(2);
  }

  @Test
  void lettersThatXmlCannotHoldDoNotBreakThePage() throws Exception {
    Document page = Xml.parse(new Page("a\u0000b\u001b[31m\ud800c \ud83d\ude00").render());
    assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
        .isEqualTo("a\ufffdb\ufffd[31m\ufffdc \ud83d\ude00");
  }
}
