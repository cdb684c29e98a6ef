package dev.xsched.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.xsched.bench.scene.DeviceLoad;
import dev.xsched.bench.scene.Outcome;
import dev.xsched.bench.scene.Requests;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class OnNvidiaTest {
  /** The rate of requests that ended then, in ten seconds. */
  private static double rate(double... seconds) {
    Requests requests = new Requests();
    for (double end : seconds) {
      requests.add(0, Math.round(end * 1e9));
    }
    Outcome outcome =
        new Outcome(
            List.of(
                new Outcome.PartyOutcome(
                    "low", requests, seconds.length, 1, OptionalDouble.empty())),
            10,
            1,
            DeviceLoad.UNKNOWN,
            OptionalDouble.empty(),
            List.of());
    return OnNvidia.perSecond(outcome, "low");
  }

  @Test
  void rateIsThatBetweenEnds() {
    assertThat(rate(1, 4, 7, 9.7)).isCloseTo(3 / 8.7, within(1e-9));
  }

  @Test
  void whoFallsSilentHasNoHighRate() {
    assertThat(rate(0.1, 0.2, 0.3)).isEqualTo(0.4);
    assertThat(rate(5)).isEqualTo(0.1);
    assertThat(rate()).isZero();
  }
}
