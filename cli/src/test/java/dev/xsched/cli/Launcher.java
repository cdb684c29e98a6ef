package dev.xsched.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Runs the real {@code ./xsched} as a process, which builds itself first where it must. */
final class Launcher {
  private static final Path SCRIPT = Path.of("..", "xsched").toAbsolutePath().normalize();

  private Launcher() {}

  static Path script() {
    return SCRIPT;
  }

  static CommandLineHarness.Outcome run(String... args) {
    return run(SCRIPT, Path.of("."), Map.of(), args);
  }

  static CommandLineHarness.Outcome run(
      Path script, Path folder, Map<String, String> environment, String... args) {
    try {
      List<String> line = new ArrayList<>(List.of(script.toString()));
      line.addAll(List.of(args));
      Path out = Files.createTempFile("xsched-test-", ".out");
      Path err = Files.createTempFile("xsched-test-", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .directory(folder.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      int code = builder.start().waitFor();
      var outcome =
          new CommandLineHarness.Outcome(code, Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      return outcome;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
