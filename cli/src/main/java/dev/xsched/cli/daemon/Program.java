package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the file of a program as the shell would that is going to become it. */
final class Program {
  private static final int NOT_FOUND = 127;
  private static final int NOT_RUNNABLE = 126;

  private Program() {}

  /**
   * Looks first, so that a slip of the pen does not start a daemon. Returns the file, if Java can
   * spell its name; else starting it will tell.
   */
  static Optional<Path> find(String name, Map<String, String> environment) throws Failure {
    if (!name.chars().allMatch(c -> c > 0 && c < 128)) {
      return Optional.empty();
    }
    List<String> places =
        name.contains("/")
            ? List.of("")
            : List.of(environment.getOrDefault("PATH", "/usr/bin:/bin").split(":", -1));
    boolean seen = false;
    for (String place : places) {
      Path file = Path.of(place).resolve(name);
      if (Files.isExecutable(file) && !Files.isDirectory(file)) {
        return Optional.of(file);
      }
      seen |= Files.exists(file) && (name.contains("/") || !Files.isDirectory(file));
    }
    throw seen
        ? new Failure(NOT_RUNNABLE, "%s is no program that you may run; see ls -l".formatted(name))
        : noSuchProgram(name);
  }

  private static Failure noSuchProgram(String name) {
    return new Failure(
        NOT_FOUND,
        name.contains("/")
            ? "there is no program %s".formatted(name)
            : "there is no program '%s' on the PATH; give its path".formatted(name));
  }
}
