package dev.xsched.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BusyTimesTest {
  private static BusyTimes of(long... bounds) {
    BusyTimes times = new BusyTimes();
    for (int i = 0; i < bounds.length; i += 2) {
      times.add(bounds[i], bounds[i + 1]);
    }
    return times;
  }

  @Test
  void onlyCommonTimeCounts() {
    assertThat(of(0, 10).overlapNanos(of(0, 100))).isEqualTo(10);
    assertThat(of(0, 10, 20, 30).overlapNanos(of(5, 25))).isEqualTo(10);
    assertThat(of(0, 10).overlapNanos(of(10, 20))).isZero();
    assertThat(of(0, 10).overlapNanos(of())).isZero();
  }

  @Test
  void agreesWithCountingEachMoment() {
    for (long seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean[] a = new boolean[300];
      boolean[] b = new boolean[300];
      BusyTimes left = randomly(a, random);
      BusyTimes right = randomly(b, random);
      int both = 0;
      for (int i = 0; i < a.length; i++) {
        both += a[i] && b[i] ? 1 : 0;
      }
      assertThat(left.overlapNanos(right)).as("seed %d", seed).isEqualTo(both);
    }
  }

  private static BusyTimes randomly(boolean[] moments, SplittableRandom random) {
    BusyTimes times = new BusyTimes();
    int now = 0;
    while (true) {
      int begin = now + random.nextInt(10);
      int end = begin + 1 + random.nextInt(10);
      if (end > moments.length) {
        return times;
      }
      times.add(begin, end);
      for (int i = begin; i < end; i++) {
        moments[i] = true;
      }
      now = end;
    }
  }
}
