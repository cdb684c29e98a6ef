package dev.xsched.cli.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import org.junit.jupiter.api.Test;

class HintEffectsTest {
  @Test
  void everyPolicyThatComesWithXschedIsKnown() {
    assertThat(Policies.available())
        .filteredOn(p -> p.getClass().getPackageName().equals("dev.xsched.policy.builtin"))
        .extracting(p -> p.name())
        .containsExactlyInAnyOrderElementsOf(HintEffects.KNOWN);
  }

  @Test
  void whatIsOfNoUseSaysWhereItWouldBe() {
    assertThat(HintEffects.none(Hint.UTILIZATION, 20, "HPF"))
        .contains("utilization has no effect under HPF; choose UP, PUP or SPUP: xsched policy UP");
    assertThat(HintEffects.none(Hint.PRIORITY, 5, "CHPF")).isPresent();
  }

  @Test
  void whatCounts() {
    assertThat(HintEffects.none(Hint.UTILIZATION, 20, "UP")).isEmpty();
    assertThat(HintEffects.none(Hint.PRIORITY, Hint.NO_EXECUTE, "CHPF")).isEmpty();
    assertThat(HintEffects.none(Hint.PRIORITY, 5, "MINE")).as("a user's own policy").isEmpty();
  }
}
