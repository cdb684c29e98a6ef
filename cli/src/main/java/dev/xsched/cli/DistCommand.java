package dev.xsched.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The launcher of a source tree does this before Java starts. Here is its help. */
@Command(
    name = "dist",
    sortOptions = false,
    header = "Make an archive that runs without a JDK (in a source tree).",
    description = {
      "",
      "Writes target/xsched-VERSION-linux-ARCH.tar.gz: the commands with the Java that they need,",
      "the library for programs, its header and its Python package. The same sources give the same",
      "bytes. Unpack it anywhere and run bin/xsched."
    },
    optionListHeading = "%nOptions:%n",
    footer = {"", "Examples:", "  ./xsched dist", "  ./xsched dist --out /tmp"})
@SuppressWarnings("unused") // picocli shows the options
final class DistCommand implements Callable<Integer> {
  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where the archive goes (default: target).")
  private @Nullable Path out;

  @Override
  public Integer call() throws Failure {
    throw new Failure("dist works in a source tree only, as ./xsched dist");
  }
}
