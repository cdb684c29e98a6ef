package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatenciesTest {
  @ParameterizedTest
  @CsvSource({
    "-5, 0",
    "0, 0",
    "1, 0",
    "1000, 0",
    "1001, 1",
    "2000, 1",
    "2001, 2",
    "4000, 2",
    "1048576000, 20",
    "1048576001, 21",
    "9223372036854775807, 21"
  })
  void aTimeCountsInTheFirstBucketWhoseBoundItDoesNotExceed(long nanos, int bucket) {
    Latencies latencies = new Latencies();
    latencies.add(nanos);
    Histogram histogram = latencies.histogram();
    assertThat(histogram.counts().get(bucket)).isEqualTo(1);
    assertThat(histogram.bounds()).hasSize(histogram.counts().size() - 1);
  }

  @Test
  void countSumAndMaximumAreKept() {
    Latencies latencies = new Latencies();
    latencies.add(3_000);
    latencies.add(1_000);
    Histogram histogram = latencies.histogram();
    assertThat(histogram.count()).isEqualTo(2);
    assertThat(histogram.sumNanos()).isEqualTo(4_000);
    assertThat(histogram.maxNanos()).isEqualTo(3_000);
  }
}
