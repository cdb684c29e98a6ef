package dev.xsched.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunsTest {
  @Test
  void ninetyNinthPercentileOfTooFewSamplesIsFlawed() {
    Runs runs = new Runs();
    runs.add("few", Planted.outcome().party("a", 99, 5).get());
    runs.add("enough", Planted.outcome().party("a", 100, 5).get());
    assertThat(runs.percentile(99, "few", "a").sound()).isFalse();
    assertThat(runs.percentile(99, "few", "a").flaws().getFirst()).contains("99 samples; 100");
    assertThat(runs.percentile(99, "enough", "a").sound()).isTrue();
    assertThat(runs.percentile(50, "few", "a").sound()).isTrue();
  }

  @Test
  void samplesOfAllRepetitionsCountTogether() {
    Runs runs = new Runs();
    runs.add("x", Planted.outcome().party("a", 50, 5).get());
    runs.add("x", Planted.outcome().party("a", 50, 7).get());
    Measure p99 = runs.percentile(99, "x", "a");
    assertThat(p99.samples()).isEqualTo(100);
    assertThat(p99.sound()).isTrue();
    assertThat(p99.value()).isEqualTo(7);
    assertThat(p99.low()).isEqualTo(5);
    assertThat(p99.high()).isEqualTo(7);
  }

  @Test
  void ratioInheritsTheFlawsOfBothSides() {
    Runs runs = new Runs();
    runs.add("base", Planted.outcome().party("a", 10, 4).get());
    runs.add("x", Planted.outcome().party("a", 200, 5).get());
    Measure ratio = runs.percentileRatio(99, "x", "base", "a");
    assertThat(ratio.value()).isEqualTo(1.25);
    assertThat(ratio.sound()).isFalse();
  }

  @Test
  void repetitionsArePairedSoThatASlowMachineCancelsOut() {
    Runs runs = new Runs();
    for (double slow : new double[] {1, 3, 2}) {
      runs.add("base", Planted.outcome().party("a", 100, 4 * slow).get());
      runs.add("x", Planted.outcome().party("a", 100, 5 * slow).get());
    }
    Measure ratio = runs.percentileRatio(99, "x", "base", "a");
    assertThat(ratio.low()).isEqualTo(1.25);
    assertThat(ratio.high()).isEqualTo(1.25);
  }

  @Test
  void oneRepetitionHasNoInterval() {
    Runs runs = new Runs();
    runs.add("x", Planted.outcome().party("a", 100, 5).get());
    assertThat(runs.percentile(99, "x", "a").hasInterval()).isFalse();
  }
}
