package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RecordFolder;
import dev.xsched.cli.Failure;
import dev.xsched.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gathers records into one report. */
@Command(
    name = "report",
    sortOptions = false,
    header = "Gather records of measurements into one report with figures.",
    description = {
      "",
      "Reads every record (*.json) in a folder and below it, and writes report.html, a page that",
      "needs nothing beside it; report.md; and report-data, with the numbers of every figure as",
      "CSV and every chart as SVG. Goal, paper and own result stand side by side."
    },
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched bench run all --device sim:gv100 --quick --out runs   makes records",
      "  xsched report runs                                           makes runs/report.html",
      "  xsched report results --out /tmp/report                      leaves the folder as it is",
      "",
      "What is simulated: whatever a record says so of. The report labels it in every row and in",
      "every figure, and counts it apart. A run that was invalid or cut short meets no goal."
    })
public final class ReportCommand implements Callable<Integer> {
  private static final String REMEDY =
      "make some with xsched bench run all --device sim:gv100 --quick --out ";

  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder with the records.")
  private Path folder = Path.of("results");

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where the report goes (default: the folder with the records).")
  private @Nullable Path out;

  public ReportCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, Failure {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "there is no folder %s; give one with records, or %s%s"
              .formatted(folder, REMEDY, folder));
    }
    RecordFolder read = RecordFolder.read(folder);
    String skipped = plain(String.join(", ", read.skipped()));
    if (read.records().isEmpty()) {
      String others = skipped.isEmpty() ? "" : " (only " + skipped + ")";
      throw new IllegalArgumentException(
          "there are no records in %s%s; %s%s".formatted(folder, others, REMEDY, folder));
    }
    Path page = ReportFiles.write(read, out == null ? folder : out);
    new Summary(read.records())
        .counts()
        .forEach(count -> terminal.out().println(plain(count.line())));
    if (!skipped.isEmpty()) {
      terminal.err().println("skipped, no records: " + skipped);
    }
    terminal.out().println("Page: " + page);
    return 0;
  }

  /** What a file says must not steer the terminal. */
  private static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
