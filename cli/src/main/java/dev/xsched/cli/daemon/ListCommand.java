package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.report.Table;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.json.Json;
import dev.xsched.policy.Hint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists programs and queues with what was counted for each. */
@Command(
    name = "list",
    sortOptions = false,
    header = "List the programs that are scheduled, and their queues.",
    description = {
      "",
      "A queue whose 'launched' stands still was not used; a program that is not listed never",
      "reached the daemon. 'used' is the time for which a queue had work and was allowed to run,",
      "'gate waits' how often a launch had to wait."
    },
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched list",
      "  xsched list --json | jq '.[].queues[].launched'"
    })
public final class ListCommand implements Callable<Integer> {
  private static final List<String> HEADER =
      List.of(
          "pid",
          "name",
          "user",
          "queue",
          "device",
          "state",
          "priority",
          "utilization",
          "level",
          "window",
          "launched",
          "completed",
          "used",
          "gate waits");

  private final Terminal terminal;
  private final Host host;

  @Option(names = "--json", description = "Print the programs as JSON.")
  private boolean json;

  public ListCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure {
    DaemonClient client = DaemonClient.require(host);
    DaemonState state = client.state();
    if (json) {
      terminal.out().println(Json.of(state.programs()));
    } else if (state.programs().isEmpty()) {
      terminal
          .out()
          .println("no program is registered; start one with: xsched run -- PROGRAM ARGUMENTS");
    } else {
      print(state);
    }
    return 0;
  }

  private void print(DaemonState state) {
    List<List<String>> rows = new ArrayList<>();
    for (ProgramState program : state.programs()) {
      if (program.queues().isEmpty()) {
        rows.add(withoutQueues(program));
      }
    }
    QueueRow.of(state).forEach(row -> rows.add(cells(row)));
    List<String> lines = new Table(HEADER, rows).lines();
    terminal.out().println(terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(terminal.out()::println);
    for (QueueRow row : QueueRow.of(state)) {
      GoalLine.of(row, state.policy())
          .ifPresent(line -> terminal.out().println(row.target() + ":" + line));
    }
  }

  private static List<String> withoutQueues(ProgramState program) {
    List<String> cells = new ArrayList<>();
    cells.add(Long.toString(program.pid()));
    cells.addAll(
        List.of(QueueRow.plain(program.name()), QueueRow.plain(program.user()), "none yet"));
    cells.addAll(Collections.nCopies(HEADER.size() - cells.size(), "-"));
    return cells;
  }

  private static List<String> cells(QueueRow row) {
    var queue = row.queue();
    return List.of(
        Long.toString(row.program().pid()),
        row.name(),
        row.user(),
        row.title(),
        QueueRow.plain(row.device()),
        row.state(),
        row.hintWithSource(Hint.PRIORITY),
        row.hintWithSource(Hint.UTILIZATION),
        level(row),
        row.window(),
        Units.count((double) queue.launched()),
        Units.count((double) queue.completed()),
        Units.time((double) queue.usedNanos()),
        Units.count((double) queue.gateWaits()));
  }

  /** The level, and what it comes to. */
  private static String level(QueueRow row) {
    QueueState queue = row.queue();
    String slice = queue.sliceMicros() == 0 ? "" : ", slice " + row.slice();
    String interrupted = queue.interrupted().equals("none") ? "" : ", interrupted";
    return row.level() + slice + interrupted;
  }
}
