package dev.xsched.cli.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.DeviceState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.Histogram;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.policy.GoalState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Daemons at some moment. */
final class States {
  private static final Histogram NEVER = new Histogram(List.of(), List.of(0L), 0, 0, 0);

  private States() {}

  static DaemonState of(long nowNanos, String policy, long timeslice, ProgramState... programs) {
    return new DaemonState(
        "0.1.0",
        1,
        4_000_000,
        0,
        "/somewhere",
        nowNanos,
        3_723_000_000_000L,
        policy,
        false,
        Map.of("timeslice", new HintState(timeslice, "default")),
        List.of(new DeviceState(0, "virtual XPU gv100", null)),
        List.of(programs),
        Map.of(),
        NEVER,
        NEVER);
  }

  static ProgramState program(long pid, String name, QueueState... queues) {
    return new ProgramState(pid, pid, 1, 1, name, 1000, "ann", 0, false, 0, List.of(queues));
  }

  static QueueState queue(
      long id, String state, HintState priority, long window, long launched, long usedNanos) {
    return new QueueState(
        id,
        0,
        "main",
        0,
        false,
        state,
        0,
        true,
        null,
        List.of(1, 2),
        2,
        window,
        0,
        0,
        Map.of("priority", priority, "utilization", new HintState(100L, "default")),
        launched,
        launched,
        launched,
        0,
        0,
        usedNanos,
        7,
        0,
        0,
        "",
        "",
        0,
        0,
        "none",
        0,
        0,
        null);
  }

  /** A queue that is to keep 1.05 times of what it takes alone. */
  static QueueState withGoal(long id, @Nullable GoalState goal) {
    return new QueueState(
        id,
        0,
        "main",
        0,
        false,
        "running",
        0,
        true,
        null,
        List.of(1, 2),
        2,
        0,
        0,
        0,
        Map.of("slo-ratio", new HintState(1_050L, "command-line")),
        0,
        0,
        0,
        0,
        0,
        0,
        7,
        0,
        0,
        "",
        "",
        0,
        0,
        "none",
        0,
        0,
        goal);
  }

  /** A queue on a GPU. */
  static QueueState onGpu(long id, List<Integer> levels, long sliceMicros, String reason) {
    return new QueueState(
        id,
        0,
        "all streams",
        0,
        false,
        "running",
        0,
        true,
        null,
        levels,
        0,
        0,
        0,
        0,
        Map.of(),
        1,
        1,
        1,
        0,
        0,
        0,
        0,
        0,
        sliceMicros,
        sliceMicros == 0 ? "gate" : "slices",
        reason,
        0,
        0,
        "none",
        0,
        0,
        null);
  }

  /** Two programs, one that matters and one that does not. */
  static DaemonState two(HintState priority) {
    return of(
        1_000_000_000,
        "HPF",
        5000,
        program(1234, "serve", queue(1, "running", priority, 500, 12_345, 600_000_000)),
        program(99, "train", queue(2, "waiting", new HintState(-5L, "environment"), 0, 10, 0)));
  }
}
