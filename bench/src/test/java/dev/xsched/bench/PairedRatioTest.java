package dev.xsched.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.xsched.bench.PairedRatio.Pair;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PairedRatioTest {
  @Test
  void isTheRatioOfMedians() {
    PairedRatio ratio =
        PairedRatio.of(List.of(new Pair(10, 11), new Pair(10, 11), new Pair(1_000, 1_100)));
    assertThat(ratio.ratio()).isCloseTo(1.1, within(1e-9));
    assertThat(ratio.percent()).isCloseTo(10, within(1e-6));
    assertThat(ratio.low()).isCloseTo(1.1, within(1e-9));
    assertThat(ratio.high()).isCloseTo(1.1, within(1e-9));
  }

  @Test
  void boundsHoldTheTruthInNoise() {
    Random noise = new Random(3);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      pairs.add(new Pair(100 + noise.nextGaussian(), 102 + noise.nextGaussian()));
    }
    PairedRatio ratio = PairedRatio.of(pairs);
    assertThat(ratio.low()).isLessThan(1.02).isGreaterThan(1.01);
    assertThat(ratio.high()).isGreaterThan(1.02).isLessThan(1.03);
    assertThat(PairedRatio.of(pairs)).isEqualTo(ratio);
  }

  @Test
  void nothingHasNoRatio() {
    assertThatThrownBy(() -> PairedRatio.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
