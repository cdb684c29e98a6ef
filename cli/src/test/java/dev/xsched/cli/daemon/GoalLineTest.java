package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.GoalState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GoalLineTest {
  @Test
  void topShowsGoalCurrentAndWhatWasGivenUpUnderTheQueue() {
    List<String> lines =
        top("SLO", new GoalState(5_250_000, 5_100_000, 5_000_000, 400, 34)).snapshot(60);
    assertThat(lines.get(3)).contains("serve");
    assertThat(lines.get(4))
        .isEqualTo(
            "        goal 5.25 ms kept: P99 5.1 ms (alone 5 ms);"
                + " others run in 34 % of its time, 66 % given up");
  }

  @Test
  void aMissIsSeen() {
    assertThat(top("SLO", new GoalState(5_000_000, 5_100_000, 0, 400, 0)).snapshot(120).get(4))
        .contains("goal 5 ms MISSED: P99 5.1 ms; others run in 0 %");
  }

  @Test
  void whileItLearnsThereIsNoGoalYet() {
    assertThat(top("SLO", new GoalState(0, 5_100_000, 0, 12, 0)).snapshot(120).get(4))
        .contains("not known yet")
        .contains("12 so far");
  }

  @Test
  void aGoalUnderAnotherPolicyIsToldToHaveNoEffect() {
    assertThat(top("HPF", null).snapshot(120).get(4))
        .contains("no effect under HPF")
        .contains("xsched policy SLO");
  }

  private static TopView top(String policy, @Nullable GoalState goal) {
    return new TopView(
        null,
        States.of(1, policy, 5000, States.program(10, "serve", States.withGoal(1, goal))),
        "",
        TopOrder.SHARE,
        false,
        0,
        '#',
        '.');
  }
}
