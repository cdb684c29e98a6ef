package dev.xsched.bench.worker;

import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tells by what means the daemon kept programs apart, as {@code xsched list} shows it right after a
 * scene: asking meanwhile would be measured, too. Once for the same programs in the same roles
 * under the same policy, because it takes a while and the means are standing orders.
 */
final class Mechanisms {
  private record Cast(String policy, Map<Long, String> roles) {}

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
    Map<Long, String> roles = new TreeMap<>();
    workers.forEach((parties, worker) -> roles.put(worker.pid(), parties.getFirst().process()));
    if (!asked.add(new Cast(xsched.policy(), roles))) {
      return outcome;
    }
    String means =
        daemon.programs().stream()
            .filter(program -> roles.containsKey(program.pid()))
            .map(program -> "%s %s".formatted(roles.get(program.pid()), describe(program)))
            .sorted()
            .collect(Collectors.joining("; "));
    return outcome.noting("after scene '%s', xsched list: %s".formatted(scene.label(), means));
  }

  private static String describe(ProgramState program) {
    return program.queues().stream().map(Mechanisms::describe).collect(Collectors.joining(", "));
  }

  private static String describe(QueueState queue) {
    String level = queue.level() == 0 ? "auto" : Integer.toString(queue.level());
    String slice = queue.sliceMicros() == 0 ? "the driver's" : queue.sliceMicros() + " us";
    String reason = queue.reason().isEmpty() ? "no reason told" : queue.reason();
    return "level %s of %s, slice %s (%s)".formatted(level, queue.levels(), slice, reason);
  }
}
