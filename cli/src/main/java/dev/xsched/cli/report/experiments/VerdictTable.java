package dev.xsched.cli.report.experiments;

import static dev.xsched.cli.report.Markup.element;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.Verdict;
import dev.xsched.cli.report.Markup.Element;
import dev.xsched.cli.report.Numbers;
import java.util.List;
import java.util.Map;

/** The table that the report is read for: what was asked, what came out, and the verdict. */
final class VerdictTable {
  private static final List<String> COLUMNS =
      List.of("Test", "Goal", "Paper", "Measured", "Verdict");

  /** So that the verdict shows without colours, too. */
  private static final Map<Verdict, String> SIGNS =
      Map.of(Verdict.MET, "✓", Verdict.MISSED, "✗", Verdict.PARTIAL, "◐", Verdict.INVALID, "⊘");

  private final Report report;

  VerdictTable(Report report) {
    this.report = report;
  }

  /** All criteria of all records, in groups. */
  Element markup() {
    Element table = table();
    for (int i = 0; i < report.records().size(); i++) {
      RunRecord record = report.records().get(i);
      if (record.criteria().isEmpty()) {
        continue;
      }
      Element title =
          element("th")
              .with("colspan", COLUMNS.size())
              .with("scope", "rowgroup")
              .add(element("a").with("href", "#record-" + i).text(report.title(record)))
              .add(ReportPage.tags(record));
      table = table.add(rows(record, element("tbody").add(element("tr").add(title))));
    }
    return table;
  }

  /** The criteria of one record. */
  static Element of(RunRecord record) {
    return table().add(rows(record, element("tbody")));
  }

  private static Element table() {
    Element head = element("tr");
    for (String column : COLUMNS) {
      head = head.add(element("th").with("scope", "col").text(column));
    }
    return element("table").with("class", "verdicts").add(element("thead").add(head));
  }

  private static Element rows(RunRecord record, Element body) {
    Element rows = body;
    for (Criterion criterion : record.criteria()) {
      Verdict verdict = Verdict.of(record, criterion);
      String sign = SIGNS.getOrDefault(verdict, "");
      rows =
          rows.add(
              element("tr")
                  .add(
                      element("td").text(criterion.name()),
                      cell("Goal", criterion.goal()),
                      cell("Paper", criterion.paper()),
                      cell("Measured", Numbers.shown(criterion.value()))
                          .add(ReportPage.tags(record)),
                      element("td")
                          .with("data-label", "Verdict")
                          .add(
                              element("span")
                                  .with("class", verdict.word())
                                  .text(sign + " " + Report.verdict(record, criterion)))));
    }
    return rows;
  }

  private static Element cell(String label, String text) {
    return element("td").with("data-label", label).text(text.isEmpty() ? "–" : text);
  }
}
