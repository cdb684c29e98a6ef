package dev.xsched.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState.Histogram;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class TimesTest {
  @Test
  void aPercentileIsTheSmallestSampleThatSoManyDoNotExceed() {
    long[] nanos = LongStream.rangeClosed(1, 200).map(i -> 1_000 * (201 - i)).toArray();
    assertThat(Times.of(nanos)).isEqualTo(new Times(200, 100, 198, 200));
  }

  @Test
  void oneSampleIsEveryPercentile() {
    assertThat(Times.of(new long[] {7_000})).isEqualTo(new Times(1, 7, 7, 7));
  }

  @Test
  void noSamplesTakeNoTime() {
    assertThat(Times.of(new long[0])).isEqualTo(new Times(0, 0, 0, 0));
  }

  @Test
  void whatWasCountedBeforeDoesNotCount() {
    Histogram before =
        new Histogram(List.of(1_000L, 2_000L), List.of(900L, 0L, 50L), 950, 0, 9_000);
    Histogram after =
        new Histogram(List.of(1_000L, 2_000L), List.of(900L, 98L, 52L), 1_050, 0, 9_000);
    assertThat(Times.between(before, after)).isEqualTo(new Times(100, 2, 9, 9));
  }

  @Test
  void twoEqualHistogramsHoldNothing() {
    Histogram same = new Histogram(List.of(1_000L), List.of(3L, 0L), 3, 0, 500);
    assertThat(Times.between(same, same)).isEqualTo(new Times(0, 0, 0, 0.5));
  }
}
