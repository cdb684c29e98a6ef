package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RecordFolder;
import dev.xsched.cli.Failure;
import dev.xsched.cli.report.Page;
import dev.xsched.cli.report.figure.Figure;
import dev.xsched.cli.report.figure.Figures;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The report in a folder: page, Markdown, and the data of the figures. */
public final class ReportFiles {
  private ReportFiles() {}

  /** Writes the report of a folder of records, and returns where the page is. */
  public static Path write(RecordFolder read, Path target) throws Failure, IOException {
    return write(Preface.NONE, read, target);
  }

  /** The same, of a machine. */
  public static Path write(Preface preface, RecordFolder read, Path target)
      throws Failure, IOException {
    Report report = new Report(preface, read.records(), Figures.of(read.records()), read.skipped());
    Path page = target.resolve("report.html");
    try {
      Files.createDirectories(target.resolve(Report.DATA));
      for (Figure figure : report.figures()) {
        Files.writeString(target.resolve(Report.csv(figure)), figure.csv());
        for (int i = 0; i < figure.charts().size(); i++) {
          Files.writeString(
              target.resolve(Report.picture(figure, i)), Page.figure(figure.charts().get(i)));
        }
      }
      Files.writeString(target.resolve("report.md"), new ReportMarkdown(report).render());
      Files.writeString(page, new ReportPage(report).render());
    } catch (FileSystemException e) {
      throw new Failure(
          "cannot write the report to %s (%s); give --out a folder that is yours and has room"
              .formatted(target, e.getReason() == null ? e.getMessage() : e.getReason()));
    }
    return page.toAbsolutePath().normalize();
  }
}
