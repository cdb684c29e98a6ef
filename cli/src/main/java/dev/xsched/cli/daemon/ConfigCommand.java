package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.daemon.api.DaemonState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes how queues are preempted. */
@Command(
    name = "config",
    sortOptions = false,
    header = "Change how queues are preempted: window and level.",
    description = {
      "",
      "The window is how much work a queue keeps in flight: less means that others get the device",
      "sooner, more that the device never runs dry. TARGET is as for 'xsched hint'."
    },
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched config training --window 200us",
      "  xsched config 1234/0 --window 8/4 --level 1     as in the paper",
      "  xsched config 1234 --window auto --level auto"
    })
public final class ConfigCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Host host;

  @Parameters(paramLabel = "TARGET", description = "What to change; xsched list shows them.")
  private String target = "";

  @Option(
      names = "--window",
      paramLabel = "TIME|THRESHOLD/BATCH|auto",
      description =
          "The most work in flight: 500us, or 8/4 commands, or the program's own default.")
  private @Nullable String window;

  @Option(
      names = "--level",
      paramLabel = "auto|1|2|3",
      description = "1 block, 2 deactivate, 3 interrupt, auto for the best that the queue has.")
  private @Nullable String level;

  public ConfigCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("target", target);
    if (window != null) {
      WindowOption option = WindowOption.parse(window);
      body.put("window_micros", option.micros());
      body.put("window_commands", option.commands());
      body.put("window_batch", option.batch());
    }
    if (level != null) {
      body.put("level", Levels.parse(level));
    }
    if (body.size() == 1) {
      throw new IllegalArgumentException(
          "say what to change: xsched config %s --window 500us or --level 1".formatted(target));
    }
    DaemonClient client = DaemonClient.require(host);
    DaemonState before = client.state();
    client.change("PATCH", "/api/v1/config", body);
    print(before, client.state());
    return 0;
  }

  private void print(DaemonState before, DaemonState after) {
    Map<Long, String> old = new HashMap<>();
    QueueRow.of(before).forEach(row -> old.put(row.queue().id(), text(row)));
    boolean changed = false;
    for (QueueRow row : QueueRow.of(after)) {
      String was = old.get(row.queue().id());
      if (was != null && !was.equals(text(row))) {
        terminal.out().printf("%s %s: %s (was %s)%n", row.target(), row.name(), text(row), was);
        changed = true;
      }
    }
    if (!changed) {
      terminal.out().println("nothing changed: " + target + " is so already, or has no queue yet");
    }
  }

  private static String text(QueueRow row) {
    return "window %s, level %s".formatted(row.window(), row.level());
  }
}
