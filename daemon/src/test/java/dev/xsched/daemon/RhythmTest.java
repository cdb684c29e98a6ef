package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RhythmTest {
  private static final long MICRO = 1_000;
  private static final long MILLI = 1_000 * MICRO;
  private static final long START = 777 * MILLI;
  private static final Offset<Long> CLOSE = within(60 * MICRO);

  private static long[] every(long nanos, int count) {
    return LongStream.range(0, count).map(i -> START + i * nanos).toArray();
  }

  private static long nextAfter(long[] begun) {
    Rhythm rhythm = Objects.requireNonNull(Rhythm.of(begun));
    return rhythm.lastNanos() + rhythm.everyNanos();
  }

  @ParameterizedTest
  @ValueSource(longs = {10, 20, 40, 333, 1000})
  void requestsByAClockAreExpected(long millis) {
    Rhythm rhythm = Rhythm.of(every(millis * MILLI, 15));
    assertThat(rhythm).isEqualTo(new Rhythm(START + 14 * millis * MILLI, millis * MILLI));
  }

  @Test
  void fewRequestsSayNothing() {
    assertThat(Rhythm.of(new long[0])).isNull();
    assertThat(Rhythm.of(every(20 * MILLI, 7))).isNull();
    assertThat(Rhythm.of(every(20 * MILLI, 8))).isNotNull();
  }

  @Test
  void aProgramThatWakesUpALittleLateHasOne() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      long[] begun =
          Arrays.stream(every(20 * MILLI, 15)).map(t -> t + random.nextLong(50 * MICRO)).toArray();
      assertThat(nextAfter(begun)).isCloseTo(START + 300 * MILLI + 25 * MICRO, CLOSE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 7, 13, 14})
  void oneThatWasLateChangesNothing(int late) {
    long[] begun = every(20 * MILLI, 15);
    begun[late] += 3 * MILLI;
    assertThat(Rhythm.of(begun)).isEqualTo(new Rhythm(START + 280 * MILLI, 20 * MILLI));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 13})
  void oneThatWasLeftOutChangesNothing(int missing) {
    long[] begun = every(20 * MILLI, 15);
    for (int i = missing; i < begun.length; i++) {
      begun[i] += 20 * MILLI;
    }
    assertThat(Rhythm.of(begun)).isEqualTo(new Rhythm(START + 300 * MILLI, 20 * MILLI));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void afterAPauseOneIsStillExpectedByTheOldRhythmThenNone(int since) {
    long[] begun = every(20 * MILLI, 15);
    for (int i = begun.length - since; i < begun.length; i++) {
      begun[i] += 1_007 * MILLI;
    }
    assertThat(Rhythm.of(begun) == null).isEqualTo(since > 1);
  }

  @Test
  void arrivalsAtRandomHaveNone() {
    Random random = new Random(2);
    for (int i = 0; i < 1_000; i++) {
      long[] begun = new long[15];
      begun[0] = START;
      for (int k = 1; k < begun.length; k++) {
        begun[k] = begun[k - 1] + (long) (-20 * MILLI * Math.log(1 - random.nextDouble()));
      }
      assertThat(Rhythm.of(begun)).isNull();
    }
  }

  @Test
  void arrivalsThatVaryByATenthHaveNone() {
    Random random = new Random(3);
    for (int i = 0; i < 1_000; i++) {
      long[] begun = new long[15];
      begun[0] = START;
      for (int k = 1; k < begun.length; k++) {
        begun[k] = begun[k - 1] + (long) (MILLI * random.nextDouble(18, 22));
      }
      assertThat(Rhythm.of(begun)).isNull();
    }
  }

  @Test
  void severalInEachRoundHaveNone() {
    long[] begun = every(20 * MILLI, 16);
    for (int i = 1; i < begun.length; i += 2) {
      begun[i] = begun[i - 1] + 3 * MILLI;
    }
    assertThat(Rhythm.of(begun)).isNull();
  }

  @Test
  void whatComesTooOftenOrTooSeldomHasNone() {
    assertThat(Rhythm.of(every(9 * MILLI, 15))).isNull();
    assertThat(Rhythm.of(every(1_001 * MILLI, 15))).isNull();
  }

  @Test
  void nonsenseHasNone() {
    Random random = new Random(4);
    long[] extremes = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, START, START + 20 * MILLI};
    for (int i = 0; i < 10_000; i++) {
      long[] begun = random.longs(random.nextInt(16)).toArray();
      for (int k = 0; k < begun.length; k++) {
        if (random.nextBoolean()) {
          begun[k] = extremes[random.nextInt(extremes.length)];
        }
      }
      assertThat(Rhythm.of(begun)).isNull();
    }
    assertThat(Rhythm.of(new long[15])).isNull();
  }
}
