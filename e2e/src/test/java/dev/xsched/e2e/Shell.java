package dev.xsched.e2e;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Commands of the system that tests need. */
final class Shell {
  private Shell() {}

  record Answer(int exitCode, String text) {}

  static Answer run(Map<String, String> environment, List<String> command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Answer(process.waitFor(), text);
  }

  static Answer run(String... command) throws Exception {
    return run(Map.of(), List.of(command));
  }

  static boolean isRoot() throws Exception {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid") == 0;
  }

  /** The libraries that a program needs, with the loader. */
  static List<Path> librariesOf(Path program) throws Exception {
    List<Path> all = new ArrayList<>();
    for (String word : run("ldd", program.toString()).text().split("\\s+", -1)) {
      if (word.startsWith("/")) {
        all.add(Path.of(word));
      }
    }
    return all;
  }

  /** Copies a file to the same place under another root. */
  static void copyInto(Path root, Path file) throws Exception {
    Path copy = root.resolve(Path.of("/").relativize(file));
    Files.createDirectories(copy.getParent());
    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
  }
}
