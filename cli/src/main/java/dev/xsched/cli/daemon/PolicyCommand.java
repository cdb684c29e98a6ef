package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and changes the daemon's policy, and lists all, those in users' jars among them. */
@Command(
    name = "policy",
    sortOptions = false,
    header = "Show, change or list policies: who runs when several want to.",
    description = {
      "",
      "Without a name shows the daemon's policy, with one changes it for everybody.",
      "To add a policy, put a jar that names its class in",
      "META-INF/services/dev.xsched.policy.Policy into a folder, and name that folder in",
      "XSCHED_PLUGINS; CONTRIBUTING.md shows how."
    },
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched policy                  what the daemon has",
      "  xsched policy CFS              from now on this one",
      "  XSCHED_PLUGINS=my/jars xsched policy --available --json"
    })
public final class PolicyCommand implements Callable<Integer> {
  private record Row(String name, String summary) {}

  private final Terminal terminal;
  private final Host host;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      completionCandidates = PolicyNames.class,
      description = "The policy that the daemon is to have.")
  private @Nullable String name;

  @Option(names = "--available", description = "List all policies, with one line each.")
  private boolean available;

  @Option(
      names = "--json",
      description = "Print JSON: {\"name\", \"summary\"}, or a list of these.")
  private boolean json;

  public PolicyCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure {
    if (available) {
      if (name != null) {
        throw new IllegalArgumentException(
            "give either a name or --available: xsched policy %s".formatted(name));
      }
      list();
      return 0;
    }
    DaemonClient client = DaemonClient.require(host);
    DaemonState state = client.state();
    if (name == null) {
      show(state);
    } else {
      client.change("PUT", "/api/v1/policy", Map.of("name", name));
      String now = client.state().policy();
      terminal.out().printf("policy %s (was %s)%n", now, state.policy());
    }
    return 0;
  }

  private void show(DaemonState state) {
    // One of a jar that only the daemon has is known to us by name alone.
    Row row =
        Policies.available().stream()
            .filter(p -> p.name().equals(state.policy()))
            .map(PolicyCommand::row)
            .findFirst()
            .orElse(new Row(state.policy(), ""));
    if (json) {
      terminal.out().println(Json.of(row));
      return;
    }
    terminal.out().println((terminal.bold(row.name()) + "  " + row.summary()).stripTrailing());
    if (state.policyFailed()) {
      terminal.out().println("It failed, so every queue runs; the daemon's log says why.");
    }
  }

  private void list() {
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
