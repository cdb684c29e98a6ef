package dev.xsched.cli;

import dev.xsched.json.Json;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the policies, those in users' jars among them. */
@Command(
    name = "policy",
    sortOptions = false,
    header = "Policies: who runs when several want to.",
    description = {
      "",
      "A policy is chosen by its name. To add one, put a jar that names its class in",
      "META-INF/services/dev.xsched.policy.Policy into a folder, and name that folder in",
      "XSCHED_PLUGINS; CONTRIBUTING.md shows how."
    },
    optionListHeading = "%nOptions:%n",
    footer = {"", "Example:", "  XSCHED_PLUGINS=my/jars xsched policy --available --json"})
final class PolicyCommand implements Runnable {
  private record Row(String name, String summary) {}

  private final Terminal terminal;

  @Option(names = "--available", description = "List all policies, with one line each.")
  private boolean available;

  @Option(names = "--json", description = "Print JSON: [{\"name\", \"summary\"}].")
  private boolean json;

  PolicyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public void run() {
    if (!available) {
      throw new IllegalArgumentException("say what to show: xsched policy --available [--json]");
    }
    List<Row> rows = Policies.available().stream().map(PolicyCommand::row).toList();
    if (json) {
      terminal.out().println(Json.of(rows));
      return;
    }
    int width = rows.stream().mapToInt(r -> r.name().length()).max().orElse(0);
    for (Row row : rows) {
      String padding = " ".repeat(width - row.name().length());
      terminal.out().println(terminal.bold(row.name()) + padding + "  " + row.summary());
    }
  }

  private static Row row(Policy policy) {
    return new Row(policy.name(), policy.summary());
  }
}
