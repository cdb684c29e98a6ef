package dev.xsched.cli;

import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Experiments;
import dev.xsched.bench.run.Stages;
import dev.xsched.json.Json;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says which experiments there are. */
@Command(
    name = "list",
    sortOptions = false,
    header = "List the experiments by group, their figures, and where they run.",
    optionListHeading = "%nOptions:%n",
    footer = {"", "Example:", "  xsched bench list --json | jq '.[].id'"})
final class BenchListCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  BenchListCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** One experiment, for scripts. */
  private record Row(String group, String id, String title, String figure, List<String> devices) {
    static Row of(String group, Experiment experiment) {
      return new Row(
          group,
          experiment.id(),
          experiment.title(),
          experiment.figure(),
          Stages.kindsFor(experiment.id()));
    }
  }

  @Override
  public Integer call() {
    List<Row> rows =
        Stream.concat(
                Experiments.all().stream().map(e -> Row.of(Experiments.ALL, e)),
                Experiments.nvidia().stream().map(e -> Row.of(Experiments.NVIDIA, e)))
            .toList();
    if (json) {
      terminal.out().println(Json.of(rows));
      return 0;
    }
    terminal
        .out()
        .println(
            terminal.bold(
                "%-6s %-6s %-62s %-9s %s".formatted("group", "id", "what", "figure", "devices")));
    for (Row row : rows) {
      terminal
          .out()
          .println(
              "%-6s %-6s %-62s %-9s %s"
                  .formatted(
                      row.group(),
                      row.id(),
                      row.title(),
                      row.figure(),
                      String.join(", ", row.devices()))
                  .stripTrailing());
    }
    return 0;
  }
}
