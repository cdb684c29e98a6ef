package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Planted;
import dev.xsched.bench.judge.Runs;
import org.junit.jupiter.api.Test;

/** The judge of 7.2.1, with outcomes whose verdict is known. */
class FixedPriorityTest {
  private static final int ENOUGH = 200;

  private static Findings judged(int requests, Planted xsched) {
    return judged(requests, xsched, 1);
  }

  private static Findings judged(int requests, Planted xsched, double nativeBusy) {
    Runs runs = new Runs();
    runs.add("standalone", Planted.outcome().party("foreground", requests, 10).get());
    runs.add(
        FixedPriority.BACKGROUND_ALONE, Planted.outcome().party("background", 1_000, 10).get());
    runs.add(
        FixedPriority.BACKGROUND_XSCHED, Planted.outcome().party("background", 1_000, 10).get());
    runs.add(
        "native",
        Planted.outcome()
            .party("background", 800, 12)
            .party("foreground", requests, 20)
            .busy(nativeBusy)
            .get());
    runs.add("xsched", xsched.get());
    Findings findings = new Findings();
    FixedPriority.judge(runs, "sim:gv100", findings);
    return findings;
  }

  private static Planted won(int requests) {
    return Planted.outcome().party("background", 700, 14).party("foreground", requests, 11);
  }

  @Test
  void honestWinPasses() {
    Findings findings = judged(ENOUGH, won(ENOUGH));
    assertThat(findings.pass()).isTrue();
    assertThat(findings.results())
        .containsEntry("foreground_p99_latency_standalone", 10.0)
        .containsEntry("foreground_p99_latency_native", 20.0)
        .containsEntry("foreground_p99_latency_xsched", 11.0)
        .containsEntry("foreground_p99_latency_xsched_samples", ENOUGH)
        .containsEntry("background_throughput_xsched", 70.0)
        .containsKey("runtime_overhead_percent");
  }

  @Test
  void clockAndPowerStandInTheRecordWhereTheyAreKnown() {
    Findings findings = judged(ENOUGH, won(ENOUGH).running(1_980, 612.5));
    assertThat(findings.results())
        .containsEntry("gpu_clock_mhz_xsched", 1_980.0)
        .containsEntry("gpu_power_watts_xsched", 612.5)
        .doesNotContainKeys("gpu_clock_mhz_native", "gpu_power_watts_native");
  }

  @Test
  void winWithoutContentionIsInvalid() {
    Findings findings = judged(ENOUGH, won(ENOUGH).contended(0.3));
    assertThat(findings.pass()).isFalse();
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes()).anyMatch(n -> n.contains("no contention in scene 'xsched'"));
  }

  @Test
  void winOnADeviceThatIdlesAnywayIsInvalid() {
    Findings findings = judged(ENOUGH, won(ENOUGH).busy(0.2), 0.2);
    assertThat(findings.pass()).isFalse();
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes()).anyMatch(n -> n.contains("bound by the processor that launches"));
  }

  /** Whoever lets the device idle to win has lost: that is no excuse for not being judged. */
  @Test
  void winByLettingTheDeviceIdleIsMissedAndNotExcused() {
    Findings findings = judged(ENOUGH, won(ENOUGH).busy(0.2));
    assertThat(findings.pass()).isFalse();
    assertThat(findings.state()).isEqualTo("complete");
    assertThat(findings.criteria())
        .anyMatch(c -> c.name().equals("device busy in scene 'xsched'") && !c.pass());
  }

  /** A P99 of 0.59x was once called a win: the run alone had been disturbed. */
  @Test
  void winThatIsTooGoodIsInvalid() {
    Findings findings =
        judged(
            ENOUGH,
            Planted.outcome().party("background", 700, 14).party("foreground", ENOUGH, 5.9));
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.pass()).isFalse();
    assertThat(findings.notes())
        .anyMatch(n -> n.contains("foreground's P99 under XSched is 0.59x of standalone"));
  }

  @Test
  void backgroundFasterThanAloneIsInvalid() {
    Findings findings =
        judged(
            ENOUGH,
            Planted.outcome().party("background", 1_110, 14).party("foreground", ENOUGH, 11));
    assertThat(findings.state()).isEqualTo("invalid");
    assertThat(findings.notes())
        .anyMatch(n -> n.contains("background under XSched is 1.11x of standalone"));
  }

  @Test
  void whatMayBeChanceIsNoFlaw() {
    Findings findings =
        judged(
            ENOUGH,
            Planted.outcome().party("background", 1_090, 14).party("foreground", ENOUGH, 9.1));
    assertThat(findings.state()).isEqualTo("complete");
  }

  @Test
  void winOfTooFewSamplesDoesNotPass() {
    Findings findings = judged(30, won(30));
    assertThat(findings.pass()).isFalse();
    assertThat(findings.state()).isEqualTo("complete");
    assertThat(findings.notes()).anyMatch(n -> n.contains("30 samples; 100 are needed"));
  }

  @Test
  void starvedBackgroundDoesNotPass() {
    Findings findings =
        judged(
            ENOUGH, Planted.outcome().party("background", 5, 14).party("foreground", ENOUGH, 10));
    assertThat(findings.criteria().getLast().pass()).isFalse();
    assertThat(findings.pass()).isFalse();
  }

  @Test
  void lossIsALoss() {
    Findings findings =
        judged(
            ENOUGH, Planted.outcome().party("background", 700, 14).party("foreground", ENOUGH, 25));
    assertThat(findings.criteria().stream().filter(c -> c.name().startsWith("foreground P99")))
        .hasSize(2)
        .noneMatch(c -> c.pass());
  }
}
