package dev.xsched.bench.kills;

import dev.xsched.link.WatchedBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A running program of native/bench/checked. */
final class CheckedProgram {
  private static final int SECONDS_TO_END = 10;
  private static final int LAST_WORDS = 300;

  private final String name;
  private final Process process;
  private final Pulse pulse;
  private final Path output;
  private Optional<WatchedBlock> block = Optional.empty();

  private CheckedProgram(String name, Process process, Pulse pulse, Path output) {
    this.name = name;
    this.process = process;
    this.pulse = pulse;
    this.output = output;
  }

  /**
   * Starts one.
   *
   * @param file what its files in the folder are called
   * @param work as the program has it, such as {@code long 1000}
   * @param paused whether it is to begin so
   */
  static CheckedProgram start(
      Surroundings surroundings,
      String name,
      String file,
      List<String> work,
      boolean paused,
      Map<String, String> environment)
      throws IOException {
    Files.createDirectories(surroundings.folder());
    Pulse pulse = Pulse.create(surroundings.folder().resolve(file + ".pulse"));
    pulse.pause(paused);
    Path output = surroundings.folder().resolve(file + ".out");
    List<String> command = new ArrayList<>();
    command.add(surroundings.checked().toString());
    command.add(pulse.file().toString());
    command.addAll(work);
    return new CheckedProgram(
        name, surroundings.start(command, environment, output), pulse, output);
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  Pulse pulse() {
    return pulse;
  }

  boolean alive() {
    return process.isAlive();
  }

  /** What it shares with the daemon, once it does. */
  Optional<WatchedBlock> block() {
    if (block.isEmpty() && process.isAlive()) {
      block = WatchedBlock.of(process.pid());
    }
    return block;
  }

  /** Kills it and returns how it ended, which may have been by itself just before. */
  int kill() throws IOException, InterruptedException {
    return Death.of(process);
  }

  /** Tells it to end; nothing if it does not. */
  Optional<Integer> end() throws InterruptedException {
    process.destroy();
    return process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)
        ? Optional.of(process.exitValue())
        : Optional.empty();
  }

  /** Waits for one that ends by itself, and returns what it printed. */
  String result(int seconds) throws IOException, InterruptedException {
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended || process.exitValue() != 0) {
      throw new IOException("%s: %s".formatted(describe(), lastWords()));
    }
    return Files.readString(output).strip();
  }

  String describe() {
    return "%s (pid %d, %s)"
        .formatted(
            name, process.pid(), alive() ? "alive" : "ended with code " + process.exitValue());
  }

  String lastWords() {
    try {
      String text = Files.readString(output).strip().replace("\n", " | ");
      return text.substring(Math.max(0, text.length() - LAST_WORDS));
    } catch (IOException e) {
      return "its output cannot be read: " + e.getMessage();
    }
  }
}
