package dev.xsched.e2e;

import dev.xsched.bench.ProcessThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** What the processes of a test are doing, for who waited in vain: it may not be seen again. */
final class Processes {
  private Processes() {}

  /** For each process, a line for each thread. */
  static String describe() {
    return ProcessHandle.current()
        .descendants()
        .map(p -> "%d %.120s\n%s".formatted(p.pid(), command(p.pid()), threads(p.pid())))
        .collect(Collectors.joining());
  }

  private static String command(long pid) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline")).replace('\0', ' ');
    } catch (IOException e) {
      return "has ended";
    }
  }

  private static String threads(long pid) {
    return ProcessThreads.of(pid).stream()
        .map(thread -> "  %s\n".formatted(thread))
        .collect(Collectors.joining());
  }
}
