package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DOUBLE;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of N.1: 50 requests a second of 4 ms leave 80 % of the GPU. */
class HardwarePriorityTest {
  private static Findings judged(double highMillis, int low) {
    return judged(highMillis, low, 4, 790);
  }

  private static Findings judged(
      double highMillis, int low, double punctualMillis, int lowBesidePunctual) {
    Runs runs = new Runs();
    runs.add("low standalone b64", Planted.outcome().party("resnet 64", 1_000, 10).get());
    add(runs, "", highMillis, low);
    add(runs, ", by the clock", punctualMillis, lowBesidePunctual);
    Findings findings = new Findings();
    HardwarePriority.judge(runs, HardwarePriority.B64, findings);
    return findings;
  }

  private static void add(Runs runs, String arrivals, double highMillis, int low) {
    runs.add("standalone%s b64".formatted(arrivals), Planted.outcome().party("bert", 500, 4).get());
    runs.add(
        "native%s b64".formatted(arrivals),
        Planted.outcome().party("resnet 64", 780, 10).party("bert", 500, 8).get());
    runs.add(
        "xsched%s b64".formatted(arrivals),
        Planted.outcome().party("resnet 64", low, 10).party("bert", 500, highMillis).get());
  }

  private static List<String> missed(Findings findings) {
    return findings.criteria().stream().filter(c -> !c.pass()).map(Criterion::name).toList();
  }

  @Test
  void highAsAloneAndLowWithAllThatIsLeftPasses() {
    Findings findings = judged(4.1, 790);
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results())
        .containsEntry("b64_high_p99_latency_standalone", 4.0)
        .containsEntry("b64_high_p99_ratio_native", 2.0)
        .containsEntry("b64_high_busy_share", 0.2);
    assertThat(findings.results().get("b64_low_of_left_percent_xsched"))
        .asInstanceOf(DOUBLE)
        .isBetween(98.5, 99.0);
  }

  @Test
  void highThatWaitsIsMissed() {
    assertThat(missed(judged(4.2, 790))).containsExactly("batch 64: high P99, against standalone");
  }

  @Test
  void requestsByTheClockAreJudgedByThemselves() {
    Findings findings = judged(4, 790, 4.2, 770);
    assertThat(missed(findings))
        .containsExactly(
            "batch 64, by the clock: high P99, against standalone",
            "batch 64, by the clock: low, of what the high one leaves");
    assertThat(findings.results())
        .containsEntry("b64_high_p99_ratio_xsched", 1.0)
        .containsEntry("b64_high_p99_ratio_xsched_by_the_clock", 1.05);
  }

  @Test
  void lowThatLosesMoreThanTheHighOneUsesIsMissed() {
    assertThat(missed(judged(4, 770)))
        .containsExactly("batch 64: low, of what the high one leaves");
  }
}
