package dev.xsched.cli;

import dev.xsched.bench.ShimBench;
import dev.xsched.bench.ShimBench.Extent;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What unmodified programs pay for being scheduled, while nobody else is there. */
@Command(
    name = "shim",
    sortOptions = false,
    header = "What the library costs a program alone, on OpenCL (about three minutes).",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Needs OpenCL with its headers, and what `make -C native` builds then.",
      "The exit code is 0 if every goal is met, else 1."
    })
final class BenchShimCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Option(names = "--quick", description = "About ten seconds instead, to see that it works.")
  private boolean quick;

  @Option(
      names = "--out",
      paramLabel = "FOLDER-OR-FILE",
      defaultValue = "results",
      description = "Where the record goes; a file ends with .json (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("results");

  BenchShimCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws Exception {
    Extent extent = quick ? Extent.QUICK : Extent.FULL;
    return BenchCommand.measure(
        terminal,
        extent.expected(),
        out,
        step -> ShimBench.run(extent, Version.release(), Version.commit(), step));
  }
}
