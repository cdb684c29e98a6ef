package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Has the launcher become another program, in an environment that has the daemon schedule it. */
@Command(
    name = "run",
    sortOptions = false,
    customSynopsis = "Usage: xsched run [OPTIONS] [--] PROGRAM [ARGUMENT...]",
    synopsisHeading = "",
    header = "Run a program under the scheduler.",
    description = {
      "",
      "Starts the daemon if none runs, then becomes the program: signals, exit code, terminal and",
      "process id are the program's own. Only its environment changes: LD_PRELOAD names a library",
      "that has the program, and what it starts, ask the daemon before work goes to a device. If",
      "there is no way to schedule it, one line says why and it runs as it would without XSched."
    },
    parameterListHeading = "%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "The exit code is the program's; 127 if there is no such program, 126 if it cannot be run.",
      "",
      "Examples:",
      "  xsched run --priority 10 -- ./serve --port 80",
      "  xsched run --priority -5 --name training -- python3 train.py",
      "  xsched run --utilization 30 -- ./batch        under UP, PUP or SPUP",
      "  xsched run --deadline 20ms -- ./camera        under KEDF",
      "  xsched run --slo 1.05x -- python3 serve.py    under SLO"
    })
public final class RunCommand implements Callable<Integer> {
  private final Terminal terminal;
  private final Host host;

  @Mixin private HintOptions hints = new HintOptions();

  @Option(
      names = "--level",
      paramLabel = "auto|1|2|3",
      description = "How to preempt: 1 block, 2 deactivate, 3 interrupt (default: the best).")
  private @Nullable String level;

  @Option(
      names = "--threshold",
      paramLabel = "N",
      description = "The most commands in flight (default: as many as half a millisecond takes).")
  private @Nullable String threshold;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description = "How many commands share a synchronisation point.")
  private @Nullable String batch;

  @Option(names = "--name", paramLabel = "S", description = "What list and top call it.")
  private @Nullable String name;

  @Parameters(
      paramLabel = "PROGRAM",
      arity = "1..*",
      description = "The program and its arguments.")
  private List<String> program = List.of();

  public RunCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure, InterruptedException {
    Map<String, String> options = new LinkedHashMap<>();
    hints.given().forEach((hint, text) -> options.put(HintValues.option(hint), text));
    put(options, "--level", level);
    put(options, "--threshold", threshold);
    put(options, "--batch", batch);
    put(options, "--name", name);
    return new RunRequest(options, program).perform(terminal, host);
  }

  private static void put(Map<String, String> options, String option, @Nullable String value) {
    if (value != null) {
      options.put(option, value);
    }
  }
}
