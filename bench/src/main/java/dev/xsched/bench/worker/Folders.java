package dev.xsched.bench.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/** Takes away what was only for the time of a run. */
final class Folders {
  private Folders() {}

  static void delete(Path folder) {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      // Whatever is left lies among temporary files.
    }
  }
}
