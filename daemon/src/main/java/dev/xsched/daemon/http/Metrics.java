package dev.xsched.daemon.http;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.DeviceState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.Histogram;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The state in the text format of Prometheus. Seconds everywhere, as its users expect. */
final class Metrics {
  private static final double NANOS = 1e9;
  private static final double MICROS = 1e6;

  private Metrics() {}

  static String of(DaemonState state) {
    Exposition out = new Exposition();
    out.family("xsched_info", "gauge", "version and policy of the daemon")
        .sample(Map.of("version", state.version(), "policy", state.policy()), 1);
    out.family("xsched_policy_failed", "gauge", "1 if the policy threw, so that every queue runs")
        .sample(Map.of(), state.policyFailed() ? 1 : 0);
    out.family("xsched_uptime_seconds", "gauge", "time since the daemon started")
        .sample(Map.of(), state.uptimeNanos() / NANOS);
    statistics(out, state.statistics());
    histogram(
        out,
        "xsched_decision_latency_seconds",
        "from a change to its last order",
        state.decisionNanos());
    histogram(
        out,
        "xsched_preemption_latency_seconds",
        "from the order to stop to the end of the last command",
        state.preemptionNanos());
    programs(out, state.programs());
    queues(out, state);
    gpuQueues(out, state);
    goals(out, state);
    return out.text();
  }

  private static void statistics(Exposition out, Map<String, Long> values) {
    for (Statistic statistic : Statistic.values()) {
      Long value = values.get(statistic.label());
      if (value == null) {
        continue;
      }
      boolean counter = statistic.kind() == Statistic.Kind.COUNTER;
      boolean nanos = statistic.unit().equals("nanoseconds");
      String label = statistic.label();
      String name = nanos ? label.replaceFirst("_nanos$", "_seconds") : label;
      out.family(
              "xsched_" + name + (counter ? "_total" : ""),
              counter ? "counter" : "gauge",
              statistic.meaning())
          .sample(Map.of(), nanos ? value / NANOS : value);
    }
  }

  private static void histogram(Exposition out, String name, String help, Histogram histogram) {
    Exposition.Family family = out.family(name, "histogram", help);
    long below = 0;
    for (int i = 0; i < histogram.counts().size(); i++) {
      below += histogram.counts().get(i);
      String bound =
          i < histogram.bounds().size()
              ? Exposition.number(histogram.bounds().get(i) / NANOS)
              : "+Inf";
      family.sample("_bucket", Map.of("le", bound), (double) below);
    }
    // Not the histogram's own count: that one must be equal to the last bucket.
    family.sample("_sum", Map.of(), histogram.sumNanos() / NANOS);
    family.sample("_count", Map.of(), (double) below);
  }

  private static void programs(Exposition out, List<ProgramState> programs) {
    Exposition.Family used =
        out.family(
            "xsched_program_used_seconds_total",
            "counter",
            "time for which its queues were ready and allowed to run");
    // A process that called exec may be there twice for a moment; one name must come once.
    programs.stream()
        .collect(
            Collectors.groupingBy(
                p -> Map.of("pid", "" + p.pid(), "name", p.name(), "user", p.user()),
                Collectors.summingDouble(p -> p.usedNanos() / NANOS)))
        .forEach(used::sample);
  }

  private static void queues(Exposition out, DaemonState state) {
    Exposition.Family states =
        out.family("xsched_queue_state", "gauge", "1 for the state that the queue is in");
    for (ProgramState program : state.programs()) {
      for (QueueState queue : program.queues()) {
        for (String name : List.of("idle", "running", "waiting")) {
          states.sample(
              labels(state, program, queue, Map.of("state", name)),
              queue.state().equals(name) ? 1 : 0);
        }
      }
    }
    perQueue(out, state, "priority", "gauge", "its priority", Metrics::priority);
    perQueue(out, state, "submitted_total", "counter", "commands submitted", QueueState::submitted);
    perQueue(out, state, "launched_total", "counter", "commands launched", QueueState::launched);
    perQueue(out, state, "completed_total", "counter", "commands completed", QueueState::completed);
    perQueue(
        out,
        state,
        "used_seconds_total",
        "counter",
        "time for which it was ready and allowed to run",
        q -> q.usedNanos() / NANOS);
    perQueue(
        out,
        state,
        "busy_seconds_total",
        "counter",
        "time for which it had commands on the device",
        q -> q.busyNanos() / NANOS);
    perQueue(
        out, state, "gate_waits_total", "counter", "times it was held back", QueueState::gateWaits);
    perQueue(
        out,
        state,
        "gate_wait_seconds_total",
        "counter",
        "time for which it was held back",
        q -> q.gateWaitNanos() / NANOS);
  }

  /** Of queues that a GPU could keep apart by itself; the others have nothing but their gates. */
  private static void gpuQueues(Exposition out, DaemonState state) {
    Exposition.Family mechanisms =
        out.family(
            "xsched_queue_mechanism",
            "gauge",
            "1 for what keeps the queue apart from others on its GPU, with the reason");
    for (ProgramState program : state.programs()) {
      for (QueueState queue : program.queues()) {
        if (onGpu(queue)) {
          Map<String, String> how =
              Map.of("mechanism", queue.mechanism(), "reason", queue.reason());
          mechanisms.sample(labels(state, program, queue, how), 1);
        }
      }
    }
    perQueue(
        out,
        state,
        "slice_seconds",
        "gauge",
        "time slice on its GPU, 0 as the driver has it",
        Metrics::onGpu,
        q -> q.sliceMicros() / MICROS);
    perQueue(
        out,
        state,
        "slice_orders_total",
        "counter",
        "times another time slice was ordered for it",
        Metrics::onGpu,
        QueueState::sliceOrders);
    perQueue(
        out,
        state,
        "interrupts_total",
        "counter",
        "times its work was taken off its GPU",
        Metrics::onGpu,
        QueueState::interrupts);
    perQueue(
        out,
        state,
        "early_turns_total",
        "counter",
        "times its GPU turned to it before a request came",
        Metrics::onGpu,
        QueueState::earlyTurns);
    perQueue(
        out,
        state,
        "early_turns_in_vain_total",
        "counter",
        "of these, times when none came",
        Metrics::onGpu,
        QueueState::earlyTurnsInVain);
  }

  private static boolean onGpu(QueueState queue) {
    return !queue.mechanism().isEmpty();
  }

  private static void goals(Exposition out, DaemonState state) {
    perGoal(out, state, "goal_seconds", "P99 that it is to keep", g -> g.goalNanos() / NANOS);
    perGoal(out, state, "p99_seconds", "P99 of its requests", g -> g.currentNanos() / NANOS);
    perGoal(
        out,
        state,
        "background_ratio",
        "part of the time of its requests in which others ran",
        g -> g.backgroundPercent() / 100.0);
  }

  private static void perGoal(
      Exposition out,
      DaemonState state,
      String name,
      String help,
      ToDoubleFunction<GoalState> value) {
    Exposition.Family family = out.family("xsched_queue_" + name, "gauge", help);
    for (ProgramState program : state.programs()) {
      for (QueueState queue : program.queues()) {
        GoalState goal = queue.goal();
        if (goal != null) {
          family.sample(labels(state, program, queue, Map.of()), value.applyAsDouble(goal));
        }
      }
    }
  }

  private static void perQueue(
      Exposition out,
      DaemonState state,
      String name,
      String type,
      String help,
      ToDoubleFunction<QueueState> value) {
    perQueue(out, state, name, type, help, _ -> true, value);
  }

  private static void perQueue(
      Exposition out,
      DaemonState state,
      String name,
      String type,
      String help,
      Predicate<QueueState> has,
      ToDoubleFunction<QueueState> value) {
    Exposition.Family family = out.family("xsched_queue_" + name, type, help);
    for (ProgramState program : state.programs()) {
      for (QueueState queue : program.queues().stream().filter(has).toList()) {
        family.sample(labels(state, program, queue, Map.of()), value.applyAsDouble(queue));
      }
    }
  }

  private static Map<String, String> labels(
      DaemonState state, ProgramState program, QueueState queue, Map<String, String> more) {
    Map<String, String> labels = new TreeMap<>(more);
    labels.put("pid", "" + program.pid());
    labels.put("program", program.name());
    labels.put("queue", "" + queue.id());
    labels.put("name", queue.name());
    labels.put(
        "device",
        state.devices().stream()
            .filter(d -> d.index() == queue.device())
            .map(DeviceState::name)
            .findFirst()
            .orElse("" + queue.device()));
    return labels;
  }

  private static double priority(QueueState queue) {
    HintState hint = queue.hints().get(Hint.PRIORITY.label());
    Long value = hint == null ? null : hint.value();
    return value == null ? Hint.PRIORITY.defaultValue() : value;
  }
}
