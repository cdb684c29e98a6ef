package dev.xsched.cli.daemon;

import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import java.util.Optional;

/** How a queue fares with its latency goal, in one line under its own. */
final class GoalLine {
  private GoalLine() {}

  /** Returns nothing for a queue without a goal. */
  static Optional<String> of(QueueRow row, String policy) {
    GoalState goal = row.queue().goal();
    if (goal != null) {
      return Optional.of("        goal " + text(goal));
    }
    boolean asked =
        row.hint(Hint.SLO_P99).value() != null || row.hint(Hint.SLO_RATIO).value() != null;
    return asked
        ? Optional.of(
            "        goal has no effect under %s; choose SLO: xsched policy SLO".formatted(policy))
        : Optional.empty();
  }

  private static String text(GoalState goal) {
    if (goal.goalNanos() == 0) {
      return "not known yet: learning what requests take alone, %s so far"
          .formatted(Units.count((double) goal.requests()));
    }
    if (goal.requests() == 0) {
      return "%s, no request yet".formatted(Units.time((double) goal.goalNanos()));
    }
    String alone =
        goal.aloneNanos() == 0
            ? ""
            : " (alone %s)".formatted(Units.time((double) goal.aloneNanos()));
    return "%s %s: P99 %s%s; others run in %d %% of its time, %d %% given up"
        .formatted(
            Units.time((double) goal.goalNanos()),
            goal.kept() ? "kept" : "MISSED",
            Units.time((double) goal.currentNanos()),
            alone,
            goal.backgroundPercent(),
            100 - goal.backgroundPercent());
  }
}
