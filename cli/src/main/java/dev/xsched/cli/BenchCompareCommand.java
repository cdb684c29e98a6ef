package dev.xsched.cli;

import dev.xsched.bench.record.RecordFolder;
import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.run.Comparison;
import dev.xsched.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets two folders of records side by side. */
@Command(
    name = "compare",
    sortOptions = false,
    header = "Compare two folders of records: each criterion, its ratio, and changed verdicts.",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Example:",
      "  xsched bench compare results/before results/after",
      "",
      "Records of the same experiment and device belong together. The exit code is 1 if a criterion",
      "that was met is missed now, else 0."
    })
final class BenchCompareCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "BEFORE", description = "A folder of records.")
  private Path before = Path.of(".");

  @Parameters(index = "1", paramLabel = "AFTER", description = "Another one.")
  private Path after = Path.of(".");

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  BenchCompareCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    List<Comparison> rows = Comparison.of(records(before), records(after));
    if (rows.isEmpty()) {
      throw new IllegalArgumentException(
          "%s and %s have no experiment on the same device in common; compare folders of the same"
                  .formatted(before, after)
              + " --device");
    }
    if (json) {
      terminal.out().println(Json.of(rows));
    } else {
      print(rows);
    }
    return rows.stream().anyMatch(Comparison::worse) ? Errors.FAILED : 0;
  }

  private static List<RunRecord> records(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "%s is no folder; give the one that bench run wrote to".formatted(folder));
    }
    return RecordFolder.read(folder).records();
  }

  private void print(List<Comparison> rows) {
    terminal
        .out()
        .println(
            terminal.bold(
                "%-6s %-12s %-56s %11s %11s %7s  %s"
                    .formatted(
                        "id", "device", "criterion", "before", "after", "ratio", "verdict")));
    for (Comparison row : rows) {
      terminal
          .out()
          .println(
              "%-6s %-12s %-56s %11s %11s %7s  %s"
                  .formatted(
                      row.testId(),
                      row.device(),
                      row.criterion(),
                      RunTable.number(row.before()),
                      RunTable.number(row.after()),
                      RunTable.number(row.ratio()),
                      row.verdict()));
    }
  }
}
