package dev.xsched.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a process is doing, for who waited for it in vain: it may not be seen again. */
public final class ProcessThreads {
  private ProcessThreads() {}

  /**
   * One text for each thread: its name, its state, where in the kernel it is, and in which system
   * call with which arguments, as far as the kernel tells us. Nothing if the process has ended.
   */
  public static List<String> of(long pid) {
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.map(ProcessThreads::describe).toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static String describe(Path thread) {
    String state =
        read(thread.resolve("status"))
            .lines()
            .filter(line -> line.startsWith("State:"))
            .findFirst()
            .orElse("has ended");
    return "%s %s %s %s"
        .formatted(
            read(thread.resolve("comm")),
            state.replace('\t', ' '),
            read(thread.resolve("wchan")),
            read(thread.resolve("syscall")))
        .strip();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
