package dev.xsched.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the processes of a test are doing, for who waited in vain: it may not be seen again. */
final class Processes {
  private Processes() {}

  /** A line for each thread: its name, whether it is stopped, and where in the kernel it is. */
  static String describe() {
    return ProcessHandle.current()
        .descendants()
        .map(process -> Path.of("/proc", String.valueOf(process.pid())))
        .map(folder -> "%s %.120s\n%s".formatted(folder, command(folder), threads(folder)))
        .collect(Collectors.joining());
  }

  private static String command(Path folder) {
    return read(folder.resolve("cmdline")).replace('\0', ' ');
  }

  private static String threads(Path folder) {
    try (Stream<Path> threads = Files.list(folder.resolve("task"))) {
      return threads.map(Processes::thread).collect(Collectors.joining());
    } catch (IOException e) {
      return "  has ended\n";
    }
  }

  private static String thread(Path folder) {
    List<String> status = read(folder.resolve("status")).lines().toList();
    String state =
        status.stream().filter(line -> line.startsWith("State:")).findFirst().orElse("has ended");
    return "  %s %s %s %s\n"
        .formatted(
            read(folder.resolve("comm")),
            state.replace('\t', ' '),
            read(folder.resolve("wchan")),
            read(folder.resolve("syscall")));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
