package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VirtualLoopTest {
  private final VirtualLoop loop = new VirtualLoop();
  private final List<String> log = new ArrayList<>();

  @Test
  void eventsHappenInOrderOfTime() {
    loop.at(30, () -> log.add("30@" + loop.nowNanos()));
    loop.at(10, () -> log.add("10@" + loop.nowNanos()));
    loop.at(20, () -> log.add("20@" + loop.nowNanos()));
    loop.runUntil(100);
    assertThat(log).containsExactly("10@10", "20@20", "30@30");
    assertThat(loop.nowNanos()).isEqualTo(100);
  }

  @Test
  void eventsOfTheSameTimeHappenInTheOrderInWhichTheyWereAskedFor() {
    for (int i = 0; i < 1000; i++) {
      int number = i;
      loop.at(i % 7, () -> log.add(number % 7 + ":" + number));
    }
    loop.runUntil(7);
    List<String> expected = new ArrayList<>();
    for (int time = 0; time < 7; time++) {
      for (int i = time; i < 1000; i += 7) {
        expected.add(time + ":" + i);
      }
    }
    assertThat(log).isEqualTo(expected);
  }

  @Test
  void anEventInThePastHappensNow() {
    loop.runUntil(50);
    loop.at(10, () -> log.add("@" + loop.nowNanos()));
    loop.runUntil(60);
    assertThat(log).containsExactly("@50");
  }

  @Test
  void eventsAfterTheEndWait() {
    loop.at(11, () -> log.add("late"));
    loop.runUntil(10);
    assertThat(log).isEmpty();
    loop.runUntil(11);
    assertThat(log).containsExactly("late");
  }

  @Test
  void anyMixOfTimesComesOutSorted() {
    Random random = new Random(7);
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      loop.at(random.nextInt(5_000), () -> times.add(loop.nowNanos()));
      if (i % 3 == 0) {
        loop.step();
      }
    }
    loop.runUntil(5_000);
    assertThat(times).hasSize(10_000).isSorted();
  }
}
