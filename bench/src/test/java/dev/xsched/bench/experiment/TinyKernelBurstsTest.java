package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import org.junit.jupiter.api.Test;

class TinyKernelBurstsTest {
  private static Findings judged(Planted xsched) {
    Runs runs = new Runs();
    runs.add("standalone 50 ms", Planted.outcome().bursts("bursts", 30, 0.02, 1).get());
    runs.add(
        "native 50 ms", Planted.outcome().party("low", 100, 50).bursts("bursts", 8, 2, 228).get());
    runs.add("xsched 50 ms", xsched.get());
    Findings findings = new Findings();
    TinyKernelBursts.judge(runs, 50, findings);
    return findings;
  }

  private static Planted beside(double first, double rest) {
    return Planted.outcome().party("low", 100, 50).bursts("bursts", 30, first, rest);
  }

  @Test
  void onlyTheFirstKernelMayPay() {
    Findings findings = judged(beside(5, 1.1));
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results())
        .containsEntry("beside_50_ms_first_p50_latency_xsched", 5.0)
        .containsEntry("beside_50_ms_rest_p50_latency_xsched", 1.1)
        .containsEntry("beside_50_ms_rest_ratio_native", 228.0);
  }

  @Test
  void turnsAfterEachKernelAreMissed() {
    assertThat(judged(beside(0.02, 32)).pass()).isFalse();
  }

  @Test
  void burstsThatNeverMetTheOtherAreInvalid() {
    assertThat(judged(beside(0.02, 1).contended(0.1)).state()).isEqualTo("invalid");
  }

  @Test
  void nothingThatEndedIsNoPass() {
    Planted none = Planted.outcome().party("low", 100, 50).bursts("bursts", 0, 0, 0);
    assertThat(judged(none).pass()).isFalse();
  }
}
