package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.policy.Hint;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what programs that run ask for. */
@Command(
    name = "hint",
    sortOptions = false,
    header = "Change the priority, share, deadline or latency goal of what runs.",
    description = {
      "",
      "TARGET is a program (1234), all programs of a name (serve), one queue (1234/0), or system.",
      "A program's hints hold for queues that it makes later, too. The last one to set a hint wins.",
      "A deadline, a laxity or a latency goal is taken back by the value none."
    },
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched hint serve --priority 10",
      "  xsched hint 1234/0 --deadline 20ms",
      "  xsched hint serve --slo 1.05x",
      "  xsched hint serve --slo none",
      "  xsched hint system --timeslice 2ms"
    })
public final class HintCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Host host;

  @Parameters(paramLabel = "TARGET", description = "What to change; xsched list shows them.")
  private String target = "";

  @Mixin private HintOptions hints = new HintOptions();

  @Option(
      names = "--lax-priority",
      paramLabel = "N",
      description = "Priority while laxity is left.")
  private @Nullable String laxPriority;

  @Option(names = "--critical-priority", paramLabel = "N", description = "Priority after that.")
  private @Nullable String criticalPriority;

  @Option(
      names = "--window-active",
      paramLabel = "PID",
      description = "For system: the program that owns the active window, 0 for none.")
  private @Nullable String windowActive;

  public HintCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure {
    Map<Hint, Long> values = values();
    checkScope(values);
    DaemonClient client = DaemonClient.require(host);
    DaemonState before = client.state();
    Map<String, @Nullable Long> body = new LinkedHashMap<>();
    values.forEach((hint, value) -> body.put(hint.label(), value == Hint.UNSET ? null : value));
    client.change(
        "PATCH",
        "/api/v1/hints",
        Map.of("target", target, "hints", body, "source", "command-line"));
    DaemonState after = client.state();
    List<String> lines = HintChanges.lines(values.keySet(), before, after);
    if (lines.isEmpty()) {
      terminal
          .out()
          .println("nothing changed: %s had these already, or no queue yet".formatted(target));
    }
    lines.forEach(terminal.out()::println);
    values.forEach(
        (hint, value) ->
            HintEffects.none(hint, value, after.policy()).ifPresent(terminal.out()::println));
    return 0;
  }

  private Map<Hint, Long> values() {
    Map<Hint, String> given = hints.given();
    HintOptions.put(given, Hint.LAX_PRIORITY, laxPriority);
    HintOptions.put(given, Hint.CRITICAL_PRIORITY, criticalPriority);
    HintOptions.put(given, Hint.WINDOW_ACTIVE, windowActive);
    Map<Hint, Long> values = new EnumMap<>(Hint.class);
    given.forEach(
        (hint, text) -> {
          if (text.equals("none") && hint.defaultValue() == Hint.UNSET) {
            values.put(hint, Hint.UNSET);
          } else {
            values.put(hint, HintValues.parse(hint, text));
          }
        });
    if (values.getOrDefault(Hint.SLO_P99, 0L) == Hint.UNSET) {
      values.put(Hint.SLO_RATIO, Hint.UNSET); // The option is the same for both.
    }
    return values;
  }

  private void checkScope(Map<Hint, Long> values) {
    if (values.isEmpty()) {
      throw new IllegalArgumentException(
          "say what to change: xsched hint %s --priority N; see xsched hint --help"
              .formatted(target));
    }
    Hint.Scope scope = target.equals("system") ? Hint.Scope.SYSTEM : Hint.Scope.QUEUE;
    for (Hint hint : values.keySet()) {
      if (hint.scope() != scope) {
        throw new IllegalArgumentException(
            scope == Hint.Scope.QUEUE
                ? "%s holds for everybody: xsched hint system %s ..."
                    .formatted(hint.label(), HintValues.option(hint))
                : "%s belongs to programs or queues; name one: xsched hint 1234 %s ..."
                    .formatted(hint.label(), HintValues.option(hint)));
      }
    }
  }
}
