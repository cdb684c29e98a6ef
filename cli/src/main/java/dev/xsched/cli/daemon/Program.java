package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Becomes another program. Its arguments and its environment are the bytes that the user gave: Java
 * reads them by the locale, and in many containers would make question marks of what is not ASCII.
 */
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
    throw refusal(name, seen ? LibC.EACCES : LibC.ENOENT);
  }

  /**
   * Returns only where it has to run beside us, with its exit code.
   *
   * @param added variables to set
   * @param preloaded a library to be loaded after those that the user names
   */
  static int become(List<String> program, Map<String, String> added, Optional<Path> preloaded)
      throws Failure, InterruptedException {
    List<byte[]> arguments = arguments(program);
    List<byte[]> environment = Variables.with(Variables.ofProcess(), added);
    preloaded.ifPresent(
        library -> Variables.append(environment, Preload.VARIABLE, library.toString()));
    try {
      throw refusal(program.getFirst(), LibC.exec(arguments, environment, OpenFiles.own()));
    } catch (UnsupportedOperationException | IllegalCallerException _) {
      return Companion.run(program, added, preloaded);
    }
  }

  /** The last ones of our own command line. */
  private static List<byte[]> arguments(List<String> program) {
    try {
      List<byte[]> all = Variables.split(Files.readAllBytes(Path.of("/proc/self/cmdline")));
      List<byte[]> last = all.subList(Math.max(0, all.size() - program.size()), all.size());
      if (last.size() == program.size() && sameWhereAscii(last, program)) {
        return last;
      }
    } catch (IOException _) {
      // No such file: what Java read must do.
    }
    List<byte[]> arguments = new ArrayList<>();
    program.forEach(word -> arguments.add(word.getBytes(StandardCharsets.UTF_8)));
    return arguments;
  }

  private static boolean sameWhereAscii(List<byte[]> raw, List<String> read) {
    for (int i = 0; i < raw.size(); i++) {
      String text = new String(raw.get(i), StandardCharsets.ISO_8859_1);
      if (text.chars().allMatch(c -> c < 128) && !text.equals(read.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static Failure refusal(String name, int errno) {
    return switch (errno) {
      case LibC.ENOENT ->
          new Failure(
              NOT_FOUND,
              name.contains("/")
                  ? "there is no program %s, or what it starts with #! is not there".formatted(name)
                  : "there is no program '%s' on the PATH; give its path".formatted(name));
      case LibC.EACCES ->
          new Failure(NOT_RUNNABLE, "%s is no program that you may run; see ls -l".formatted(name));
      default -> new Failure(NOT_RUNNABLE, "%s cannot be run (error %d)".formatted(name, errno));
    };
  }
}
