package dev.xsched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StagesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void aModelRunsOnVirtualTimeAndGivesTheSameEachTime() throws InterruptedException {
    Outcome first = virtual(Configuration.SCHEDULED);
    Outcome second = virtual(Configuration.SCHEDULED);
    assertThat(p99(second)).isEqualTo(p99(first));
    assertThat(second.perSecond("background")).isEqualTo(first.perSecond("background"));
    assertThat(Validity.competed(first)).isTrue();
  }

  @Test
  void onVirtualTimeTheForegroundSuffersNativelyAndIsProtectedWhenScheduled()
      throws InterruptedException {
    double alone = p99(virtual(Configuration.STANDALONE));
    assertThat(p99(virtual(Configuration.NATIVE))).isGreaterThan(1.5 * alone);
    assertThat(p99(virtual(Configuration.SCHEDULED))).isLessThan(1.3 * alone);
  }

  private static Outcome virtual(Configuration configuration) throws InterruptedException {
    try (Stage stage = Stages.open("sim", Rule.byDefault())) {
      assertThat(stage.waiting(SECOND)).isZero();
      return stage.run(configuration, Duration.ofSeconds(stage.defaultSeconds()), () -> {});
    }
  }

  private static double p99(Outcome outcome) {
    return latencies(outcome).percentile(99);
  }

  private static Latencies latencies(Outcome outcome) {
    return Latencies.of(
        outcome.parties().stream()
            .filter(p -> p.name().equals("foreground"))
            .map(p -> p.requests().latencies())
            .toList());
  }

  /** How good the numbers are depends on the machine; that the device takes its time does not. */
  @ParameterizedTest
  @EnumSource
  void onRealTimeEveryRequestTakesAtLeastWhatItsCommandsTake(Configuration configuration)
      throws InterruptedException {
    try (Stage stage = Stages.open("auto", Rule.byDefault())) {
      Outcome run = stage.run(configuration, SECOND, () -> {});
      if (configuration == Configuration.BACKGROUND) {
        assertThat(run.perSecond("background")).isPositive();
      } else {
        assertThat(latencies(run).min()).isGreaterThan(10 * 0.8);
      }
      assertThat(run.contended() > 0).isEqualTo(run.parties().size() == 2);
    }
  }
}
