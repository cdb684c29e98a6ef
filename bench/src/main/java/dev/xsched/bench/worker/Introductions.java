package dev.xsched.bench.worker;

import dev.xsched.bench.scene.StageException;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.policy.Hint;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sees that the daemon knows a program before it is measured. A program that cannot be scheduled
 * runs on as if alone, and would be taken for a scheduled one.
 */
final class Introductions {
  private static final int TRIES = 10;
  private static final Duration BETWEEN = Duration.ofMillis(100);

  private final OwnDaemon daemon;
  private final Set<Long> known = new HashSet<>();
  private final Map<Long, Map<Hint, Long>> hinted = new HashMap<>();

  Introductions(OwnDaemon daemon) {
    this.daemon = daemon;
  }

  /** Introduces a worker once; gives it the hints that only a running program can have. */
  void of(Recipe recipe, WorkerProcess worker) throws StageException, InterruptedException {
    if (recipe.priorities().isEmpty()) {
      return;
    }
    if (!known.contains(worker.pid()) && !seen(recipe, worker)) {
      throw worker.failed(
          "was started by 'xsched run', but the daemon does not show its queues with priority %s"
              .formatted(recipe.priorities()));
    }
    if (!recipe.hints().equals(hinted.getOrDefault(worker.pid(), Map.of()))) {
      daemon.hint(worker.pid(), recipe.hints());
      hinted.put(worker.pid(), recipe.hints());
    }
  }

  /** Whether {@code xsched list} shows its queues, with the priorities that they are to have. */
  boolean seen(Recipe recipe, WorkerProcess worker) throws StageException, InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      for (ProgramState program : daemon.programs()) {
        if (program.pid() == worker.pid() && hasAll(program, recipe.priorities())) {
          known.add(worker.pid());
          return true;
        }
      }
      Thread.sleep(BETWEEN);
    }
    return false;
  }

  private static boolean hasAll(ProgramState program, List<Long> priorities) {
    return priorities.stream()
        .allMatch(
            wanted ->
                program.queues().stream()
                    .anyMatch(
                        queue -> {
                          HintState hint = queue.hints().get(Hint.PRIORITY.label());
                          return hint != null && wanted.equals(hint.value());
                        }));
  }
}
