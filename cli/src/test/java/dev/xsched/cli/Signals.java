package dev.xsched.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Signals that tests send to programs. */
final class Signals {
  private static final Map<String, Integer> NUMBERS =
      Map.of("HUP", 1, "INT", 2, "QUIT", 3, "TERM", 15);

  private Signals() {}

  /** A shell has what it starts in the background ignore Ctrl-C, and so do all its children. */
  static void assumeNotIgnored(String name) throws IOException {
    String mask =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> line.substring("SigIgn:".length()).strip())
            .findFirst()
            .orElse("0");
    boolean ignored =
        (Long.parseUnsignedLong(mask, 16) >> (NUMBERS.getOrDefault(name, 1) - 1) & 1) == 1;
    Assumptions.assumeFalse(ignored, name + " is ignored by whoever started these tests");
  }
}
