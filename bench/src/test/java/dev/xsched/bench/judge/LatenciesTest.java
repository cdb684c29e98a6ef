package dev.xsched.bench.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LatenciesTest {
  /** 1 to 100 ms, in two parts and not in order. */
  private final Latencies hundred =
      Latencies.of(
          List.of(
              LongStream.rangeClosed(51, 100).map(n -> n * 1_000_000).toArray(),
              LongStream.rangeClosed(1, 50).map(n -> n * 1_000_000).toArray()));

  @Test
  void percentilesAreValuesThatWereMeasured() {
    assertThat(hundred.percentile(50)).isEqualTo(50);
    assertThat(hundred.percentile(99)).isEqualTo(99);
    assertThat(hundred.percentile(29)).isEqualTo(29);
    assertThat(hundred.min()).isEqualTo(1);
    assertThat(hundred.max()).isEqualTo(100);
    assertThat(hundred.mean()).isEqualTo(50.5);
    assertThat(hundred.deviation()).isCloseTo(29.011, org.assertj.core.data.Offset.offset(0.001));
    assertThat(Latencies.of(List.of()).percentile(99)).isNaN();
  }

  @Test
  void aCdfIsThinnedButKeepsBothEnds() {
    Latencies many = Latencies.of(List.of(LongStream.rangeClosed(1, 10_000).toArray()));
    assertThat(many.cdf()).hasSize(200);
    assertThat(many.cdf().getFirst()).isEqualTo(List.of(1e-6, 1e-4));
    assertThat(many.cdf().getLast()).isEqualTo(List.of(1e-2, 1.0));
  }
}
