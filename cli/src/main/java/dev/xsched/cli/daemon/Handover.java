package dev.xsched.cli.daemon;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the launcher does to become a program, in the words of a shell. A shell hands on arguments
 * and variables as the bytes that the user gave, files as they are open, and is still there where
 * Java cannot start; so it is the one that becomes the program. See scripts/start.sh.
 */
final class Handover {
  private Handover() {}

  /**
   * Returns a script. Its beginning is how the launcher tells it from other output.
   *
   * @param words the length of the program with its arguments, which end the command line
   * @param added variables to set
   * @param preloaded a library to be loaded after those that the user names
   */
  static String script(int words, Map<String, String> added, Optional<Path> preloaded) {
    StringBuilder script = new StringBuilder("xs_words=" + words + "\n");
    added.forEach((name, value) -> script.append("export %s=%s\n".formatted(name, quoted(value))));
    preloaded.ifPresent(
        library ->
            script.append(
                "export %1$s=${%1$s:+$%1$s:}%2$s\n"
                    .formatted(Preload.VARIABLE, quoted(library.toString()))));
    return script.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
