package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.daemon.api.DaemonState;
import java.util.List;
import java.util.Optional;

/** Whether programs on GPUs can be preempted by more than a gate in front of their launches. */
final class LevelCheck {
  private LevelCheck() {}

  /** Empty where no program uses such a GPU, or where nobody answers: others say so. */
  static Optional<Finding> check(DaemonClient client) {
    try {
      return of(client.state());
    } catch (Failure | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static Optional<Finding> of(DaemonState state) {
    List<QueueRow> onGpus =
        QueueRow.of(state).stream().filter(row -> !row.queue().mechanism().isEmpty()).toList();
    Optional<QueueRow> without = onGpus.stream().filter(row -> row.bestLevel() < 3).findFirst();
    if (without.isPresent()) {
      return Optional.of(
          Finding.warning(
              "level 3",
              "%s (pid %d) does not offer it: %s"
                  .formatted(
                      without.get().name(),
                      without.get().program().pid(),
                      QueueRow.plain(without.get().queue().reason())),
              "it is scheduled by its launches alone; level 3 wants --level 3 and NVIDIA's open kernel"
                  + " modules, without MIG and MPS, or AMD's with CWSR"));
    }
    return onGpus.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.ok(
                "level 3",
                "offered on GPUs; " + QueueRow.plain(onGpus.getFirst().queue().reason())));
  }
}
