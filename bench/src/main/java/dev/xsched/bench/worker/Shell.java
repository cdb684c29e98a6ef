package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs commands that end soon, and takes what they print. */
final class Shell {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private Shell() {}

  /** Whether there is such a program on the path. */
  static boolean has(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Returns what a command prints, which must succeed. */
  static String run(List<String> command, Map<String, String> environment, String input)
      throws StageException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    try {
      Path output = Files.createTempFile("xsched-bench-", ".out");
      try {
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try (var writer = process.outputWriter()) {
          writer.write(input);
        }
        boolean ended = process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        String text = Files.readString(output, StandardCharsets.UTF_8);
        if (!ended || process.exitValue() != 0) {
          throw new StageException(
              "'%s' failed (%s): %s"
                  .formatted(
                      String.join(" ", command),
                      ended ? "exit code " + process.exitValue() : "no end",
                      text.strip().replace("\n", " | ")));
        }
        return text;
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new StageException(
          "'%s' cannot be run: %s; is it installed?"
              .formatted(String.join(" ", command), e.getMessage()),
          e);
    }
  }

  /** Returns what a command prints, or nothing if it fails. */
  static Optional<String> tryRun(
      List<String> command, Map<String, String> environment, String input) {
    try {
      return Optional.of(run(command, environment, input));
    } catch (StageException _) {
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
