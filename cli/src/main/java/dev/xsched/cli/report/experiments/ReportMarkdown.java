package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.TestOrder;
import dev.xsched.cli.report.Numbers;
import dev.xsched.cli.report.Table;
import dev.xsched.cli.report.figure.Figure;
import dev.xsched.cli.report.figure.ResultTables;
import java.util.List;
import java.util.stream.Collectors;

/** The report as Markdown, for where pages are not shown: repositories, mails, terminals. */
final class ReportMarkdown {
  private final Report report;
  private final StringBuilder out = new StringBuilder();

  ReportMarkdown(Report report) {
    this.report = report;
  }

  String render() {
    line("# " + Report.TITLE);
    preface(report.preface());
    report.summary().counts().forEach(count -> line("- " + escaped(count.line()) + "."));
    line("- " + escaped(report.summary().origin()) + ".");
    line("");
    line("## Goal, paper, measured");
    line("");
    verdicts();
    report.figures().forEach(this::figure);
    String chapter = "";
    for (RunRecord record : report.records()) {
      if (!TestOrder.chapter(record.testId()).equals(chapter)) {
        chapter = TestOrder.chapter(record.testId());
        line("\n## " + chapter);
      }
      record(record);
    }
    if (!report.skipped().isEmpty()) {
      line("\n## Left out\n\nThese files are no records:\n");
      report.skipped().forEach(file -> line("- " + escaped(file)));
    }
    return out.toString();
  }

  private void preface(Preface preface) {
    if (!preface.parts().isEmpty()) {
      line("\n## " + Report.WHAT_WORKED + "\n");
      row(List.of("Part", "State", "Found"));
      line("| --- | --- | --- |");
      preface.parts().forEach(p -> row(List.of(p.name(), p.state().word(), p.found())));
      line("");
    }
    if (!preface.environment().isEmpty()) {
      line("## " + Report.ENVIRONMENT + "\n");
      preface.environment().forEach((k, v) -> line("- %s: %s".formatted(k, escaped(v))));
      line("");
    }
  }

  private void verdicts() {
    row(List.of("Test", "Device", "Criterion", "Goal", "Paper", "Measured", "Verdict"));
    line("| --- | --- | --- | --- | --- | --- | --- |");
    for (RunRecord record : report.records()) {
      for (Criterion criterion : record.criteria()) {
        row(
            List.of(
                record.testId(),
                record.labelledDevice(),
                criterion.name(),
                criterion.goal(),
                criterion.paper(),
                Numbers.shown(criterion.value()),
                Report.verdict(record, criterion)));
      }
    }
  }

  private void figure(Figure figure) {
    line("\n## " + escaped(figure.title()) + "\n");
    for (int i = 0; i < figure.charts().size(); i++) {
      String title = escaped(figure.charts().get(i).heading().title());
      line("![%s](%s)".formatted(title, Report.picture(figure, i)));
    }
    for (Figure.TitledTable table : figure.tables()) {
      line("\n" + escaped(table.title()) + "\n");
      table(table.table());
    }
    line("");
    figure.remarks().forEach(remark -> line("- " + escaped(remark)));
    line("- [The numbers as CSV](" + Report.csv(figure) + ")");
  }

  private void record(RunRecord record) {
    line("\n### " + escaped(report.title(record)) + escaped(labels(record)) + "\n");
    line(escaped(Report.verdict(record)) + ".\n");
    Facts.of(record)
        .forEach(
            (name, value) ->
                line(
                    "- %s: %s"
                        .formatted(
                            name, name.equals(Facts.COMMAND) ? code(value) : escaped(value))));
    record.notes().forEach(note -> line("- Note: " + escaped(note)));
    for (Table table : ResultTables.of(record)) {
      line("");
      table(table);
    }
  }

  private static String labels(RunRecord record) {
    return record.labels().isEmpty() ? "" : " (" + String.join(", ", record.labels()) + ")";
  }

  private void table(Table table) {
    row(table.header());
    line("| --- |" + " ---: |".repeat(table.header().size() - 1));
    table.rows().forEach(this::row);
  }

  private void row(List<String> cells) {
    line(
        cells.stream().map(ReportMarkdown::escaped).collect(Collectors.joining(" | ", "| ", " |")));
  }

  private void line(String text) {
    out.append(text).append('\n');
  }

  /** Text from outside stays text: no markup of HTML or Markdown, no new line. */
  static String escaped(String text) {
    return oneLine(text).replaceAll("([\\\\`*_\\[\\]<>|~#&])", "\\\\$1");
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\s\\p{Cntrl}]+", " ");
  }

  /** With more marks around it than it has inside. */
  private static String code(String text) {
    String marks = "`";
    while (text.contains(marks)) {
      marks += "`";
    }
    return marks + " " + oneLine(text).strip() + " " + marks;
  }
}
