package dev.xsched.client;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The file by which {@code xsched run} learns that what it started has reached the scheduler. The
 * library in this process says at the end that nothing was scheduled if the file is still empty.
 *
 * @param file null for a program that was started in another way
 */
record RunMark(@Nullable Path file) {
  /** {@code XSCHED_RUN} is PID:FILE. */
  static RunMark of(Map<String, String> variables) {
    String[] parts = variables.getOrDefault("XSCHED_RUN", "").split(":", 2);
    return new RunMark(parts.length < 2 ? null : Path.of(parts[1]));
  }

  void make() {
    if (file != null) {
      try {
        Files.write(file, new byte[] {'x'}, StandardOpenOption.APPEND);
      } catch (IOException e) {
        // A line too many is said at the end.
        System.getLogger("dev.xsched.client").log(Level.DEBUG, "no mark is made", e);
      }
    }
  }
}
