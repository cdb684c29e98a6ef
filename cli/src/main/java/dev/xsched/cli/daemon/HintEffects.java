package dev.xsched.cli.daemon;

import dev.xsched.policy.Hint;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which policies look at which hints. */
final class HintEffects {
  /** Those that come with XSched; of others we know nothing. */
  static final Set<String> KNOWN =
      Set.of(
          "HPF", "HHPF", "CHPF", "UP", "PUP", "SPUP", "CFS", "KEDF", "LAX", "AWF", "MLFQ", "SLO");

  private HintEffects() {}

  private static List<String> policies(Hint hint) {
    return switch (hint) {
      case PRIORITY -> List.of("HPF", "HHPF", "CFS", "LAX", "MLFQ", "SLO");
      case UTILIZATION -> List.of("UP", "PUP", "SPUP");
      case TIMESLICE -> List.of("UP", "PUP", "SPUP", "CFS");
      case DEADLINE, K -> List.of("KEDF");
      case LAXITY, LAX_PRIORITY, CRITICAL_PRIORITY -> List.of("LAX");
      case WINDOW_ACTIVE -> List.of("AWF");
      case SLO_P99, SLO_RATIO -> List.of("SLO");
    };
  }

  /** Says that a hint is of no use under a policy, and under which it would be. */
  static Optional<String> none(Hint hint, long value, String policy) {
    List<String> policies = policies(hint);
    // No policy runs what is not to be executed.
    boolean asked = value != Hint.UNSET && !(hint == Hint.PRIORITY && value == Hint.NO_EXECUTE);
    if (!asked || !KNOWN.contains(policy) || policies.contains(policy)) {
      return Optional.empty();
    }
    return Optional.of(
        "%s has no effect under %s; choose %s: xsched policy %s"
            .formatted(
                hint.label(),
                policy,
                String.join(", ", policies).replaceFirst(", (\\w+)$", " or $1"),
                policies.getFirst()));
  }
}
