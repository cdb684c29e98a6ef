package dev.xsched.sim;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;

/** The least that the simulation's own tests need of policies. */
final class TestPolicies {
  private TestPolicies() {}

  /** Only ready queues of the highest priority run. */
  static final class Highest implements Policy {
    @Override
    public String name() {
      return "HIGHEST";
    }

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Decision decide(Snapshot snapshot) {
      int highest =
          snapshot.queues().stream()
              .filter(QueueView::wantsToRun)
              .mapToInt(q -> q.hints().priority())
              .max()
              .orElse(Integer.MIN_VALUE);
      Decision.Builder decision = Decision.builder();
      for (int i = 0; i < snapshot.queues().size(); i++) {
        if (snapshot.queues().get(i).hints().priority() >= highest) {
          decision.run(i);
        }
      }
      return decision.build();
    }
  }
}
