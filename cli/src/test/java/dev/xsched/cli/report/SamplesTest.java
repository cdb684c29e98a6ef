package dev.xsched.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SamplesTest {
  private static Samples upTo(int n) {
    return Samples.of(IntStream.rangeClosed(1, n).mapToDouble(i -> n + 1 - i).toArray());
  }

  @ParameterizedTest(name = "P{1} of 1..{0} is {2}")
  @CsvSource({
    "100, 50, 50",
    "100, 99, 99",
    "100, 100, 100",
    "100, 0, 1",
    "100, 29, 29",
    "100, 99.5, 100",
    "1000, 99, 990",
    "1000, 99.9, 999",
    "1, 99, 1",
    "101, 99, 100",
    "3, 50, 2"
  })
  void percentilesAreTheNearestRank(int n, double percent, double expected) {
    assertThat(upTo(n).percentile(percent)).isEqualTo(expected);
  }

  @Test
  void nanosBecomeMillis() {
    assertThat(Samples.ofNanosInMillis(new long[] {3_000_000, 1_500_000}).get(0)).isEqualTo(1.5);
  }

  @Test
  void noSamplesGiveNoPercentile() {
    assertThatThrownBy(() -> Samples.of().percentile(50)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> upTo(3).percentile(101)).isInstanceOf(IllegalArgumentException.class);
  }
}
