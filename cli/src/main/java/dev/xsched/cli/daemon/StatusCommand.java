package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.json.Json;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Says whether a daemon runs, and which. */
@Command(
    name = "status",
    sortOptions = false,
    header = "Show whether a daemon runs, and where.",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "The exit code is 0 if one runs, 3 if not.",
      "",
      "Examples:",
      "  xsched status || xsched serve",
      "  xsched status --json | jq -r .page"
    })
public final class StatusCommand implements Callable<Integer> {
  /** What service managers answer for a service that does not run. */
  private static final int NOT_RUNNING = 3;

  private record Status(
      boolean running,
      long pid,
      String version,
      String policy,
      boolean policyFailed,
      double uptimeSeconds,
      int programs,
      int queues,
      String directory,
      String socket,
      String page) {}

  private final Terminal terminal;
  private final Host host;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  public StatusCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure {
    Optional<DaemonClient> found = DaemonClient.find(host);
    if (found.isEmpty()) {
      terminal
          .out()
          .println(
              json
                  ? Json.of(Map.of("running", false))
                  : "no daemon answers in %s; start one with: xsched serve"
                      .formatted(DaemonClient.folders(host)));
      return NOT_RUNNING;
    }
    Status status = status(found.get());
    if (json) {
      terminal.out().println(Json.of(status));
    } else {
      print(status);
    }
    return 0;
  }

  private static Status status(DaemonClient client) throws Failure {
    DaemonState state = client.state();
    return new Status(
        true,
        state.pid(),
        state.version(),
        state.policy(),
        state.policyFailed(),
        state.uptimeNanos() / 1e9,
        state.programs().size(),
        state.programs().stream().mapToInt(p -> p.queues().size()).sum(),
        client.directory().path().toString(),
        client.directory().socket().toString(),
        client.page());
  }

  private void print(Status status) {
    PrintWriter out = terminal.out();
    out.printf("%s: pid %d, version %s%n", terminal.bold("running"), status.pid, status.version);
    String failed = status.policyFailed ? " (FAILED: every queue runs; see the log)" : "";
    out.println("policy    " + status.policy + failed);
    out.println("uptime    " + Units.uptime((long) (status.uptimeSeconds * 1e9)));
    out.println("programs  " + status.programs);
    out.println("queues    " + status.queues);
    out.println("folder    " + status.directory);
    out.println("socket    " + status.socket);
    out.println("page      " + status.page);
  }
}
