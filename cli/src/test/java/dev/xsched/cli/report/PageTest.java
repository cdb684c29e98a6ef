package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PageTest {
  @Test
  void textFromOutsideStaysText() throws Exception {
    String hostile = "<script>alert(\"1\")</script> & 'x'";
    String html = new Page(hostile).note(hostile).bullets(List.of(hostile)).render();
    Document page = Xml.parse(html);
    assertThat(page.getElementsByTagName("script").getLength()).isZero();
    assertThat(page.getElementsByTagName("p").item(0).getTextContent()).isEqualTo(hostile);
  }

  @Test
  void aPageIsWellFormedAndLoadsNothing() throws Exception {
    String html =
        new Page("title").note("note").add(line().markup()).bullets(List.of("one")).render();
    Document page = Xml.parse(html);
    assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(1);
    assertThat(html)
        .doesNotContain("http:", "https:", "//", "url(", "@import", "src=", "href=")
        .contains("prefers-color-scheme: dark");
  }

  @Test
  void aFigureStandsAloneWithItsLegendAndItsColours() throws Exception {
    String figure = Page.figure(line());
    assertThat(Xml.parse(figure).getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(figure)
        .contains("xmlns=\"http://www.w3.org/2000/svg\"", "(simulated)", "--s0:", ">one");
  }

  private static LineChart line() {
    LineChart.Point point = new LineChart.Point(1, 1);
    return new LineChart(
        new Heading("chart", List.of("simulated"), ""),
        new Axis("ms", 0, 2, false),
        new Axis("share", 0, 1, false),
        List.of(
            new LineChart.Series(
                "one", new Look(0, Origin.SIMULATED), List.of(point), List.of(point))));
  }

  @Test
  void theStyleNeedsNoEscapes() {
    // Browsers do not undo escapes inside of a style element.
    assertThat(new Page("t").render()).doesNotContain("&lt;", "&gt;", "&amp;", "&quot;");
  }

  @Test
  void lettersThatXmlCannotHoldDoNotBreakThePage() throws Exception {
    Document page = Xml.parse(new Page("a\u0000b\u001b[31m\ud800c \ud83d\ude00").render());
    assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
        .isEqualTo("a\ufffdb\ufffd[31m\ufffdc \ud83d\ude00");
  }
}
