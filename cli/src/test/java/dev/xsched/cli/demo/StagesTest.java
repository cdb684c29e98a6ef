package dev.xsched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StagesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void aModelRunsOnVirtualTimeAndGivesTheSameEachTime() throws InterruptedException {
    Measurement first = virtual(Configuration.SCHEDULED);
    Measurement second = virtual(Configuration.SCHEDULED);
    assertThat(second.p99()).isEqualTo(first.p99());
    assertThat(second.backgroundPerSecond()).isEqualTo(first.backgroundPerSecond());
    assertThat(first.contentionProven()).isTrue();
  }

  @Test
  void onVirtualTimeTheForegroundSuffersNativelyAndIsProtectedWhenScheduled()
      throws InterruptedException {
    double alone = virtual(Configuration.STANDALONE).p99();
    assertThat(virtual(Configuration.NATIVE).p99()).isGreaterThan(1.5 * alone);
    assertThat(virtual(Configuration.SCHEDULED).p99()).isLessThan(1.3 * alone);
  }

  private static Measurement virtual(Configuration configuration) throws InterruptedException {
    try (Stage stage = Stages.open("sim", Rule.byDefault())) {
      assertThat(stage.waiting(SECOND)).isZero();
      return stage.run(configuration, Duration.ofSeconds(stage.defaultSeconds()), () -> {});
    }
  }

  /** How good the numbers are depends on the machine; that the device takes its time does not. */
  @ParameterizedTest
  @EnumSource
  void onRealTimeEveryRequestTakesAtLeastWhatItsCommandsTake(Configuration configuration)
      throws InterruptedException {
    try (Stage stage = Stages.open("auto", Rule.byDefault())) {
      Measurement run = stage.run(configuration, SECOND, () -> {});
      assertThat(run.latencies().size()).isPositive();
      assertThat(run.latencies().get(0)).isGreaterThan(10 * 0.8);
      assertThat(run.contention().isPresent()).isEqualTo(configuration != Configuration.STANDALONE);
    }
  }
}
