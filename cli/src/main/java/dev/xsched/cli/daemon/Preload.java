package dev.xsched.cli.daemon;

import dev.xsched.cli.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the library for a program; where it cannot be used, one line says why. */
final class Preload {
  static final String VARIABLE = "LD_PRELOAD";

  private Preload() {}

  /**
   * Returns the library to add to those that the user has loaded into a program.
   *
   * @param program the program's name, for people
   * @param file where it is, if that is known
   */
  static Optional<Path> library(
      String program, @Nullable Path file, Map<String, String> environment, Terminal terminal) {
    Optional<Path> library = NativeFiles.library();
    if (library.isEmpty()) {
      say(terminal, program, "there is no libxsched.so; " + NativeFiles.REMEDY);
      return library;
    }
    if (library.get().toString().matches(".*[ :$].*")) {
      // The loader takes them for the end of a name, or for a variable, and knows no quotes.
      say(terminal, program, library.get() + " has a blank, ':' or '$' in its path; move it");
      return Optional.empty();
    }
    ProgramFile kind =
        file == null ? ProgramFile.LOADS_LIBRARIES : ProgramFile.of(file, library.get());
    if (kind != ProgramFile.LOADS_LIBRARIES) {
      say(terminal, program, kind.reason());
    }
    boolean there =
        Arrays.asList(environment.getOrDefault(VARIABLE, "").split("[ :]", -1))
            .contains(library.get().toString());
    return there || kind == ProgramFile.OTHER_MACHINE ? Optional.empty() : library;
  }

  private static void say(Terminal terminal, String program, String why) {
    terminal.err().printf("xsched: %s is not intercepted: %s%n", program, why);
  }
}
