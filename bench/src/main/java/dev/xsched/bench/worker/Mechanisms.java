package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Tells by what means the daemon kept programs apart, as {@code xsched list} shows it right after a
 * scene: asking meanwhile would be measured, too. Once for the same programs that do the same under
 * the same policy, because it takes a while. What is counted is since a program began.
 */
final class Mechanisms {
  private record Cast(String policy, Set<Long> pids, List<Workload> workloads) {}

  private final OwnDaemon daemon;
  private final Set<Cast> asked = new HashSet<>();

  Mechanisms(OwnDaemon daemon) {
    this.daemon = daemon;
  }

  /** Returns the outcome with a note of it, if the scene was scheduled and this is new. */
  Outcome noted(Scene scene, Map<List<Party>, WorkerProcess> workers, Outcome outcome)
      throws StageException, InterruptedException {
    if (!(scene.control() instanceof Control.Scheduled xsched)) {
      return outcome;
    }
    Map<Long, String> roles = roles(workers);
    List<Workload> workloads = scene.parties().stream().map(Party::workload).toList();
    if (!asked.add(new Cast(xsched.policy(), roles.keySet(), workloads))) {
      return outcome;
    }
    String means = tell(roles, Mechanisms::means);
    return outcome.noting("after scene '%s', xsched list: %s".formatted(scene.label(), means));
  }

  /** A failure with what the daemon thinks of the programs, if it can still be asked. */
  StageException explained(
      Scene scene, Map<List<Party>, WorkerProcess> workers, StageException failure)
      throws InterruptedException {
    if (!(scene.control() instanceof Control.Scheduled)) {
      return failure;
    }
    try {
      String states = tell(roles(workers), Mechanisms::state);
      return new StageException(
          "%s; xsched list: %s".formatted(failure.getMessage(), states), failure);
    } catch (StageException silent) {
      failure.addSuppressed(silent);
      return failure;
    }
  }

  private static Map<Long, String> roles(Map<List<Party>, WorkerProcess> workers) {
    Map<Long, String> roles = new TreeMap<>();
    workers.forEach((parties, worker) -> roles.put(worker.pid(), parties.getFirst().process()));
    return roles;
  }

  private String tell(Map<Long, String> roles, Function<QueueState, String> what)
      throws StageException, InterruptedException {
    return daemon.programs().stream()
        .filter(program -> roles.containsKey(program.pid()))
        .map(program -> "%s %s".formatted(roles.get(program.pid()), tell(program, what)))
        .sorted()
        .collect(Collectors.joining("; "));
  }

  private static String tell(ProgramState program, Function<QueueState, String> what) {
    return program.queues().stream().map(what).collect(Collectors.joining(", "));
  }

  private static String state(QueueState queue) {
    return "%s for %d ms, %d launched, %d completed, gate %s, interrupted %s, %s"
        .formatted(
            queue.state(),
            queue.readyNanos() / 1_000_000,
            queue.launched(),
            queue.completed(),
            queue.gateOpen() ? "open" : "closed",
            queue.interrupted(),
            means(queue));
  }

  private static String means(QueueState queue) {
    String level = queue.level() == 0 ? "auto" : Integer.toString(queue.level());
    String slice = queue.sliceMicros() == 0 ? "the driver's" : queue.sliceMicros() + " us";
    String reason = queue.reason().isEmpty() ? "no reason told" : queue.reason();
    long each = queue.gateWaitNanos() / 1_000 / Math.max(1, queue.gateWaits());
    String early =
        queue.earlyTurns() == 0
            ? ""
            : ", turned to early %d times, %d in vain"
                .formatted(queue.earlyTurns(), queue.earlyTurnsInVain());
    return "level %s of %s, slice %s (%s), interrupted %d times, %d waits at its gate, %d us each%s"
        .formatted(
            level,
            queue.levels(),
            slice,
            reason,
            queue.interrupts(),
            queue.gateWaits(),
            each,
            early);
  }
}
