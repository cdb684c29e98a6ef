package dev.xsched.cli.report.experiments;

import static dev.xsched.cli.report.Markup.element;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.TestOrder;
import dev.xsched.bench.record.Verdict;
import dev.xsched.cli.report.BarChart;
import dev.xsched.cli.report.Chart;
import dev.xsched.cli.report.Legend;
import dev.xsched.cli.report.LineChart;
import dev.xsched.cli.report.Markup;
import dev.xsched.cli.report.Markup.Element;
import dev.xsched.cli.report.Page;
import dev.xsched.cli.report.figure.Figure;
import dev.xsched.cli.report.figure.ResultTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report as one page that needs nothing beside it. */
final class ReportPage {
  private final Report report;

  ReportPage(Report report) {
    this.report = report;
  }

  String render() {
    Page page = new Page(Report.TITLE);
    preface(page);
    page.add(counts());
    page.note(report.summary().origin() + ".");
    page.add(contents());
    page.add(heading("verdicts", "Goal, paper, measured"));
    page.add(new VerdictTable(report).markup());
    if (!report.figures().isEmpty()) {
      page.add(heading("figures", "Figures"));
      report.figures().forEach(figure -> page.add(figure(figure)));
    }
    records(page);
    if (!report.skipped().isEmpty()) {
      page.add(heading("left-out", "Left out"));
      page.note("These files are no records:").bullets(report.skipped());
    }
    return page.render();
  }

  private void preface(Page page) {
    if (!report.preface().parts().isEmpty()) {
      Map<String, Element> parts = new LinkedHashMap<>();
      for (Part part : report.preface().parts()) {
        Element state = element("span").with("class", part.state().style());
        parts.put(
            part.name(),
            element("td").add(state.text(part.state().word() + ": ")).text(part.found()));
      }
      page.add(heading("what-worked", Report.WHAT_WORKED)).add(rows(parts));
    }
    if (!report.preface().environment().isEmpty()) {
      Map<String, Element> found = new LinkedHashMap<>();
      report
          .preface()
          .environment()
          .forEach((name, text) -> found.put(name, element("td").text(text)));
      page.add(heading("environment", Report.ENVIRONMENT)).add(rows(found));
    }
  }

  private static Element rows(Map<String, Element> cells) {
    Element body = element("tbody");
    for (var cell : cells.entrySet()) {
      body =
          body.add(
              element("tr")
                  .add(element("th").with("scope", "row").text(cell.getKey()), cell.getValue()));
    }
    return element("table").with("class", "facts").add(body);
  }

  private Element counts() {
    Element list = element("ul").with("class", "counts");
    for (Summary.Count count : report.summary().counts()) {
      String rest = count.rest().isEmpty() ? "" : "; " + count.rest();
      list =
          list.add(
              element("li")
                  .add(
                      element("span").text(count.kind()),
                      element("b").text(count.headline()),
                      element("span").text("on " + count.where() + rest)));
    }
    return list;
  }

  private Element contents() {
    Element list = element("ul").add(link("#verdicts", "Goals and verdicts"));
    for (Figure figure : report.figures()) {
      String title = figure.title();
      int colon = title.indexOf(':');
      list = list.add(link("#" + anchor(figure), colon < 0 ? title : title.substring(0, colon)));
    }
    for (String chapter : chapters()) {
      list = list.add(link("#" + anchor(chapter), chapter));
    }
    return element("nav").with("aria-label", "Contents").add(list);
  }

  private static Element link(String target, String text) {
    return element("li").add(element("a").with("href", target).text(text));
  }

  private static Element heading(String anchor, String text) {
    return element("h2").with("id", anchor).text(text);
  }

  private static String anchor(Figure figure) {
    return "figure-" + figure.id();
  }

  private static String anchor(String chapter) {
    return "part-"
        + chapter
            .chars()
            .filter(Character::isLetterOrDigit)
            .limit(12)
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
  }

  private List<String> chapters() {
    return report.records().stream().map(r -> TestOrder.chapter(r.testId())).distinct().toList();
  }

  private static Element figure(Figure figure) {
    Element all =
        element("figure")
            .with("id", anchor(figure))
            .with("class", single(figure) ? "single" : "several")
            .add(element("h3").text(figure.title()));
    List<Chart> lines = figure.charts().stream().filter(LineChart.class::isInstance).toList();
    List<Chart> bars = figure.charts().stream().filter(BarChart.class::isInstance).toList();
    for (List<Chart> charts : List.of(lines, bars)) {
      if (!charts.isEmpty()) {
        all = all.add(Legend.of(charts).markup(), panels(charts));
      }
    }
    for (Figure.TitledTable table : figure.tables()) {
      all =
          all.add(
              element("h4").text(table.title()),
              element("div").with("class", "wide").add(table.table().markup()));
    }
    Element caption = element("figcaption");
    for (String remark : figure.remarks()) {
      caption = caption.add(element("p").text(remark));
    }
    return all.add(
        caption.add(
            element("p")
                .add(element("a").with("href", Report.csv(figure)).text("The numbers as CSV"))));
  }

  /** Whether there is room for the text beside the chart. */
  private static boolean single(Figure figure) {
    return figure.charts().size() == 1
        && figure.tables().isEmpty()
        && !figure.charts().getFirst().wide();
  }

  private static Element panels(List<Chart> charts) {
    Element panels = element("div").with("class", "panels");
    for (Chart chart : charts) {
      panels =
          panels.add(
              element("div").with("class", chart.wide() ? "span" : "one").add(chart.markup()));
    }
    return panels;
  }

  private void records(Page page) {
    for (String chapter : chapters()) {
      page.add(heading(anchor(chapter), chapter));
      for (int i = 0; i < report.records().size(); i++) {
        RunRecord record = report.records().get(i);
        if (TestOrder.chapter(record.testId()).equals(chapter)) {
          page.add(details(record, i));
        }
      }
    }
  }

  private Element details(RunRecord record, int index) {
    Verdict verdict = Verdict.of(record);
    Element summary =
        element("summary")
            .text(report.title(record))
            .add(tags(record))
            .text(" ")
            .add(
                element("span")
                    .with("class", record.criteria().isEmpty() ? "note" : verdict.word())
                    .text(Report.verdict(record)));
    Element details =
        // Whoever follows a link to what is inside finds it open.
        element("details").add(summary, facts(record).with("id", "record-" + index));
    if (verdict != Verdict.MET) {
      details = details.with("open", "open");
    }
    List<Markup> parts = new ArrayList<>();
    if (!record.notes().isEmpty()) {
      Element notes = element("ul");
      for (String note : record.notes()) {
        notes = notes.add(element("li").text(note));
      }
      parts.add(element("h4").text("Notes"));
      parts.add(notes);
    }
    if (!record.criteria().isEmpty()) {
      parts.add(element("h4").text("Criteria"));
      parts.add(VerdictTable.of(record));
    }
    var tables = ResultTables.of(record);
    if (!tables.isEmpty()) {
      parts.add(element("h4").text("Results"));
      tables.forEach(
          table ->
              parts.add(
                  element("div")
                      .with("class", "wide")
                      .add(table.markup().with("class", "results"))));
    }
    return details.add(parts);
  }

  private static Element facts(RunRecord record) {
    Map<String, Element> cells = new LinkedHashMap<>();
    for (var fact : Facts.of(record).entrySet()) {
      Element value = element("td");
      cells.put(
          fact.getKey(),
          fact.getKey().equals(Facts.COMMAND)
              ? value.add(element("code").text(fact.getValue()))
              : value.text(fact.getValue()));
    }
    return rows(cells);
  }

  static List<Element> tags(RunRecord record) {
    return record.labels().stream()
        .map(label -> element("span").with("class", "tag").text(label))
        .toList();
  }
}
