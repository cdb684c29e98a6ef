package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a program beside us where we cannot become it; signals that end us end it, too. */
final class Companion {
  private Companion() {}

  static int run(List<String> program, Map<String, String> added, Optional<Path> preloaded)
      throws Failure, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(program).inheritIO();
    builder.environment().putAll(added);
    preloaded.ifPresent(
        library ->
            builder
                .environment()
                .merge(Preload.VARIABLE, library.toString(), (old, more) -> old + ":" + more));
    try {
      Process process = builder.start();
      Thread hook = new Thread(() -> end(process), "xsched-end");
      Runtime.getRuntime().addShutdownHook(hook);
      int code = process.waitFor();
      Runtime.getRuntime().removeShutdownHook(hook);
      return code;
    } catch (IOException e) {
      throw new Failure(126, "%s cannot be run (%s)".formatted(program.getFirst(), e.getMessage()));
    } catch (IllegalStateException _) {
      return 143; // The hook runs already, so this is not seen by anybody.
    }
  }

  private static void end(Process process) {
    process.destroy();
    try {
      int _ = process.waitFor();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
