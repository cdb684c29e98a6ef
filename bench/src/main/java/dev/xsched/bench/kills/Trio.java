package dev.xsched.bench.kills;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A daemon of its own, a low program that never pauses, and a high one that comes in bursts. Each
 * fourth high one has one command at a time instead: the device may turn to it before that comes.
 */
final class Trio implements AutoCloseable {
  static final String DAEMON = "daemon";
  static final String LOW = "low";
  static final String HIGH = "high";

  /**
   * What the programs do. The high one has work for so small a part of the time that the low one
   * gets on well within a second.
   *
   * @param rounds of the low program's kernels
   */
  record Load(int rounds, int burstMillis, int restMillis) {
    private static final int STEADY = 4;
    private static final int PART_OF_LOW = 10;

    List<String> ofLow() {
      return List.of("long", Integer.toString(rounds));
    }

    List<String> ofHigh(int number) {
      return number % STEADY == 0
          ? List.of("steady", Integer.toString(rounds / PART_OF_LOW), Integer.toString(restMillis))
          : List.of("tiny", Integer.toString(burstMillis), Integer.toString(restMillis));
    }
  }

  private final Surroundings surroundings;
  private final Path directory;
  private final Load load;
  private final Map<String, CheckedProgram> programs = new HashMap<>();
  private @Nullable MortalDaemon daemon;
  private int starts;
  private int highs;
  private boolean paused;

  Trio(Surroundings surroundings, Load load) {
    this.surroundings = surroundings;
    this.directory = surroundings.folder().resolve("d");
    this.load = load;
  }

  Load load() {
    return load;
  }

  void start(String who) throws IOException {
    Files.createDirectories(surroundings.folder());
    if (who.equals(DAEMON)) {
      daemon = MortalDaemon.start(surroundings, directory);
    } else {
      programs.put(
          who,
          CheckedProgram.start(
              surroundings,
              who,
              "%s-%d".formatted(who, starts++),
              who.equals(HIGH) ? load.ofHigh(++highs) : load.ofLow(),
              paused,
              surroundings.scheduled(who, who.equals(HIGH) ? 10 : 0, directory)));
    }
  }

  /** Has the programs, also those to come, leave the device alone, or do all that they have. */
  void pause(boolean wanted) {
    paused = wanted;
    programs.values().forEach(program -> program.pulse().pause(wanted));
  }

  /** Nothing while there is to be none. */
  Optional<MortalDaemon> daemon() {
    return Optional.ofNullable(daemon);
  }

  /** Kills one of the three, which is no longer to be there; returns how it ended. */
  int kill(String who) throws IOException, InterruptedException {
    if (!who.equals(DAEMON)) {
      CheckedProgram victim = program(who);
      programs.remove(who);
      return victim.kill();
    }
    MortalDaemon victim = daemon().orElseThrow();
    daemon = null;
    return victim.kill();
  }

  boolean daemonAnswers() {
    return daemon != null && daemon.answers();
  }

  CheckedProgram program(String name) {
    CheckedProgram program = programs.get(name);
    if (program == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return program;
  }

  /** Those that are to be there. */
  List<CheckedProgram> programs() {
    return List.copyOf(programs.values());
  }

  boolean started(String name) {
    return program(name).pulse().started();
  }

  /** Tells a program to end; nothing if it does not. */
  Optional<Integer> end(String name) throws InterruptedException {
    CheckedProgram program = program(name);
    Optional<Integer> code = program.end();
    if (code.isPresent()) {
      programs.remove(name);
    }
    return code;
  }

  String lastWordsOfTheDaemon() {
    try {
      List<String> lines = Files.readAllLines(MortalDaemon.output(surroundings));
      return String.join(" | ", lines.subList(Math.max(0, lines.size() - 3), lines.size()));
    } catch (IOException e) {
      return "its output cannot be read: " + e.getMessage();
    }
  }

  /** Leaves nobody behind. */
  @Override
  public void close() {
    try {
      for (CheckedProgram program : programs()) {
        program.kill();
      }
      if (daemon != null) {
        daemon.end();
      }
    } catch (IOException _) {
      // It was told before; there is nothing that helps.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
