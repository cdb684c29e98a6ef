package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class SamplesTest {
  private final Samples samples = new Samples();

  @Test
  void aPercentileIsASampleThatSoManyDoNotExceed() {
    for (int i = 1000; i > 0; i--) {
      samples.add(i);
    }
    assertThat(samples.percentileNanos(0.50)).isEqualTo(500);
    assertThat(samples.percentileNanos(0.99)).isEqualTo(990);
    assertThat(samples.percentileNanos(1)).isEqualTo(1000);
    assertThat(samples.percentileNanos(0)).isEqualTo(1);
    assertThat(samples.meanNanos()).isEqualTo(500.5);
    assertThat(samples.toSortedArray()).hasSize(1000).isSorted();
  }

  @Test
  void nothingMeasuredHasNoPercentile() {
    assertThatIllegalStateException().isThrownBy(() -> samples.percentileNanos(0.5));
  }
}
