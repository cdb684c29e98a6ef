package dev.xsched.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FindingsTest {
  private final Findings findings = new Findings();

  @Test
  void boundsAreStrictAndTheGoalIsInWords() {
    findings.below("at", Measure.exactly(1.3), 1.3, "x", null);
    findings.below("under", Measure.exactly(1.29), 1.3, "x", "1.13x");
    findings.above("over", Measure.exactly(21), 20, "%", null);
    assertThat(findings.criteria()).extracting(c -> c.pass()).containsExactly(false, true, true);
    assertThat(findings.criteria())
        .extracting(c -> c.goal())
        .containsExactly("< 1.3x", "< 1.3x", "> 20 %");
    assertThat(findings.pass()).isFalse();
  }

  @Test
  void flawedNumberNeverMeetsACriterionAndSaysWhy() {
    findings.below("p99", Measure.exactly(1).flawed("too few samples"), 2, "ms", null);
    assertThat(findings.pass()).isFalse();
    assertThat(findings.notes().getFirst()).contains("p99", "too few samples");
  }

  @Test
  void whatIsNoNumberMeetsNothing() {
    findings.holds("nothing", "yes", Measure.exactly(Double.NaN), true, null);
    assertThat(findings.pass()).isFalse();
  }

  @Test
  void whatIsInfiniteMeetsNothing() {
    findings.above("kept, where natively nothing ended", Measure.exactly(1.0 / 0), 80, "%", null);
    assertThat(findings.pass()).isFalse();
  }

  @Test
  void missedGoalDoesNotDecide() {
    findings.below("must", Measure.exactly(1), 2, "ms", null);
    findings.goalBelow("wish", Measure.exactly(3), 2, "ms", null);
    assertThat(findings.pass()).isTrue();
    assertThat(findings.criteria().getLast().goalOnly()).isTrue();
  }

  @Test
  void invalidPassesNothingAndNothingJudgedIsNoPass() {
    assertThat(findings.pass()).isFalse();
    findings.below("must", Measure.exactly(1), 2, "ms", null);
    findings.invalid("no contention");
    assertThat(findings.pass()).isFalse();
    assertThat(findings.state()).isEqualTo("invalid");
  }
}
