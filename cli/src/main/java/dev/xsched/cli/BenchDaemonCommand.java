package dev.xsched.cli;

import dev.xsched.bench.DaemonBench;
import dev.xsched.bench.DaemonBench.Extent;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The daemon with many programs, with two that compete, and with nothing to do. */
@Command(
    name = "daemon",
    sortOptions = false,
    header = "A daemon under load, its reaction, and its cost when idle (about two minutes).",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Needs the programs that `make -C native` builds.",
      "The exit code is 0 if every goal is met, else 1."
    })
final class BenchDaemonCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--quick", description = "About twenty seconds instead, to see that it works.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "FOLDER-OR-FILE",
      defaultValue = "results",
      description = "Where the record goes; a file ends with .json (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("results");

  BenchDaemonCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Extent extent = quick ? Extent.QUICK : Extent.FULL;
    return BenchCommand.measure(
        terminal,
        extent.expected(),
        out,
        step -> DaemonBench.run(extent, Version.release(), Version.commit(), step));
  }
}
