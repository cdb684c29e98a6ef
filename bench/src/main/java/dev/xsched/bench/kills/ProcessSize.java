package dev.xsched.bench.kills;

import dev.xsched.bench.scene.GrowthOutcome.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What the kernel tells of how much a process has. */
final class ProcessSize {
  private ProcessSize() {}

  static Size of(long pid) throws IOException {
    Path folder = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(folder.resolve("status"));
    return new Size(
        number(status, "VmRSS:"),
        count(folder.resolve("fd")),
        Files.readAllLines(folder.resolve("maps")).size(),
        number(status, "Threads:"));
  }

  private static long number(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  private static long count(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    }
  }
}
