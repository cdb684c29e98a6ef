package dev.xsched.daemon;

import dev.xsched.json.Json;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.scheduler.Scheduler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What people told this daemon, kept in a file, so that the next one knows it, too. What programs
 * ask for themselves is in their own memory and needs no keeping.
 */
final class SavedHints {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  /** The file's content. */
  record Content(
      @Nullable String policy, Map<String, SavedHint> system, List<SavedProgram> programs) {}

  record SavedHint(long value, String source) {}

  record SavedProgram(
      int pid, long startTicks, Map<String, SavedHint> hints, List<SavedQueue> queues) {}

  record SavedQueue(
      int slot,
      int generation,
      Map<String, SavedHint> hints,
      int level,
      long windowNanos,
      int windowCommands,
      int windowBatch) {}

  private final Path file;
  private final @Nullable String policy;
  private final Map<String, SavedHint> system;

  /** Programs of the daemon before, which may come back. */
  private final Map<Program.Key, SavedProgram> expected = new HashMap<>();

  private final Map<Program, SavedProgram> recalled = new HashMap<>();

  /** Whether somebody was told that the file cannot be written. */
  private boolean told;

  private SavedHints(Path file, Content content) {
    this.file = file;
    this.policy = content.policy();
    this.system = content.system();
    for (SavedProgram program : content.programs()) {
      expected.put(new Program.Key(program.pid(), program.startTicks()), program);
    }
  }

  /** Reads what the last daemon left. What cannot be read is told and left. */
  static SavedHints read(Path file) {
    try {
      Content content = Json.read(Files.readAllBytes(file), Content.class);
      check(content);
      return new SavedHints(file, content);
    } catch (NoSuchFileException _) {
      // The first daemon in this folder.
    } catch (IOException | RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "hints and policy of the last daemon are lost, %s makes no sense: %s"
              .formatted(file, e.getMessage()));
    }
    return new SavedHints(file, new Content(null, Map.of(), List.of()));
  }

  /** Throws where something is missing or out of range. */
  private static void check(Content content) {
    check(content.system(), Hint.Scope.SYSTEM);
    for (SavedProgram program : content.programs()) {
      check(program.hints(), Hint.Scope.QUEUE);
      program.queues().forEach(queue -> check(queue.hints(), Hint.Scope.QUEUE));
    }
  }

  private static void check(Map<String, SavedHint> saved, Hint.Scope scope) {
    hints(saved)
        .forEach(
            (hint, value) -> {
              hint.check(scope, value.value());
              var _ = source(value);
            });
  }

  /** The policy of the daemon before, if there was one. */
  @Nullable String policy() {
    return policy;
  }

  void recallSystem(Scheduler scheduler) {
    hints(system)
        .forEach((hint, saved) -> scheduler.systemHint(hint, saved.value(), source(saved)));
  }

  boolean remembers(Program program) {
    return recalled.containsKey(program);
  }

  void recall(Program program) {
    SavedProgram saved = program.key().known() ? expected.remove(program.key()) : null;
    if (saved != null) {
      recalled.put(program, saved);
      program.hints = over(program.hints, saved.hints());
      program.steered = true;
    }
  }

  void recall(ManagedQueue queue, Scheduler scheduler) {
    SavedProgram program = recalled.get(queue.program());
    if (program == null) {
      return;
    }
    for (SavedQueue saved : program.queues()) {
      if (saved.slot() == queue.slot().index() && saved.generation() == queue.generation()) {
        scheduler.hints(queue.id(), over(queue.program().hints, saved.hints()));
        queue.asked =
            queue
                .slot()
                .asks()
                .over(Hints.DEFAULT, Hint.Scope.QUEUE, Hints.Source.APPLICATION)
                .hints();
        queue.askedSequence = queue.slot().asks().sequence();
        queue.setLevel(saved.level());
        queue.setWindow(saved.windowNanos(), saved.windowCommands(), saved.windowBatch());
      }
    }
  }

  void forget(Program program) {
    recalled.remove(program);
  }

  /** What to write, as things stand. */
  Content content(Scheduler scheduler, Collection<Program> programs) {
    List<SavedProgram> kept = new ArrayList<>();
    for (SavedProgram program : expected.values()) {
      if (ProcessFacts.of(program.pid()).startTicks() == program.startTicks()) {
        kept.add(program);
      }
    }
    for (Program program : programs) {
      if (program.steered && program.key().known()) {
        kept.add(saved(program, scheduler));
      }
    }
    return new Content(scheduler.policy().name(), saved(scheduler.system()), kept);
  }

  /**
   * Writes it. A full disk costs the next daemon its memory, and nobody anything else.
   *
   * @param content asked one writer after the other, so that the last one writes the latest
   */
  synchronized void write(Supplier<Content> content) {
    try {
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(fresh, Json.of(content.get()));
      Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      told = false;
    } catch (IOException e) {
      if (!told) {
        told = true;
        LOG.log(Level.WARNING, "hints are not kept for the next daemon: " + e.getMessage());
      }
    }
  }

  private static SavedProgram saved(Program program, Scheduler scheduler) {
    List<SavedQueue> queues = new ArrayList<>();
    for (ManagedQueue queue : program.queues()) {
      queues.add(
          new SavedQueue(
              queue.slot().index(),
              queue.generation(),
              saved(scheduler.queue(queue.id()).hints()),
              queue.level,
              queue.windowNanos,
              queue.windowCommands,
              queue.windowBatch));
    }
    return new SavedProgram(
        program.key().pid(), program.key().startTicks(), saved(program.hints), queues);
  }

  private static Map<String, SavedHint> saved(Hints hints) {
    Map<String, SavedHint> all = new LinkedHashMap<>();
    for (Hint hint : Hint.values()) {
      if (hints.source(hint) != Hints.Source.DEFAULT) {
        all.put(hint.label(), new SavedHint(hints.get(hint), hints.source(hint).name()));
      }
    }
    return all;
  }

  private static Hints over(Hints hints, Map<String, SavedHint> saved) {
    Hints result = hints;
    for (Map.Entry<Hint, SavedHint> entry : hints(saved).entrySet()) {
      result = result.with(entry.getKey(), entry.getValue().value(), source(entry.getValue()));
    }
    return result;
  }

  private static Map<Hint, SavedHint> hints(Map<String, SavedHint> saved) {
    Map<Hint, SavedHint> all = new LinkedHashMap<>();
    saved.forEach((label, hint) -> all.put(Hint.of(label), hint));
    return all;
  }

  private static Hints.Source source(SavedHint hint) {
    return Hints.Source.valueOf(hint.source());
  }
}
