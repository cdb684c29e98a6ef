package dev.xsched.daemon;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds what a user means by a target; {@link dev.xsched.daemon.api.DaemonControl} says how. */
final class Targets {
  private final Dispatcher dispatcher;

  /**
   * What was meant.
   *
   * @param whole whether whole programs are meant, with all queues to come
   */
  record Match(List<Program> programs, List<ManagedQueue> queues, boolean whole) {}

  Targets(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  Match find(String target) {
    String text = target.strip();
    if (text.startsWith("pid:")) {
      return byPid(text.substring(4), target);
    }
    if (text.startsWith("name:")) {
      return byName(text.substring(5), target);
    }
    if (text.startsWith("queue:")) {
      return byQueue(text.substring(6), target);
    }
    if (text.matches("\\d+/\\d+")) {
      return bySlot(text, target);
    }
    return text.matches("\\d+") ? byPid(text, target) : byName(text, target);
  }

  private Match byPid(String pid, String target) {
    return whole(
        dispatcher.programs().stream()
            .filter(p -> String.valueOf(p.key().pid()).equals(pid))
            .toList(),
        target);
  }

  private Match byName(String name, String target) {
    return whole(
        dispatcher.programs().stream().filter(p -> p.name().equals(name)).toList(), target);
  }

  private Match byQueue(String id, String target) {
    ManagedQueue queue = id.matches("\\d{1,18}") ? dispatcher.queue(Long.parseLong(id)) : null;
    if (queue == null) {
      throw unknown(target);
    }
    return new Match(List.of(queue.program()), List.of(queue), false);
  }

  private Match bySlot(String text, String target) {
    String[] parts = text.split("/", -1);
    List<ManagedQueue> queues = new ArrayList<>();
    for (Program program : byPid(parts[0], target).programs()) {
      for (ManagedQueue queue : program.queues()) {
        if (String.valueOf(queue.slot().index()).equals(parts[1])) {
          queues.add(queue);
        }
      }
    }
    if (queues.isEmpty()) {
      throw unknown(target);
    }
    return new Match(queues.stream().map(ManagedQueue::program).distinct().toList(), queues, false);
  }

  private Match whole(List<Program> programs, String target) {
    if (programs.isEmpty()) {
      throw unknown(target);
    }
    return new Match(programs, programs.stream().flatMap(p -> p.queues().stream()).toList(), true);
  }

  private IllegalArgumentException unknown(String target) {
    String known =
        dispatcher.programs().stream()
            .limit(10)
            .map(p -> "%d (%s)".formatted(p.key().pid(), p.name()))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException(
        known.isEmpty()
            ? "no program is registered, so '%s' names none; start one with: xsched run -- PROGRAM"
                .formatted(target)
            : "nothing here is called '%s'; give a pid, a name, PID/QUEUE or queue:ID; registered: %s"
                .formatted(target, known));
  }
}
