package dev.xsched.bench.scene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class IntervalsTest {
  @Test
  void twoOverlapWhereBothHold() {
    Intervals one = new Intervals(0, 10, 20, 30);
    Intervals other = new Intervals(5, 25);
    assertThat(one.length()).isEqualTo(20);
    assertThat(Intervals.ofTwo(List.of(one, other))).isEqualTo(5 + 5);
  }

  @Test
  void threeAtOnceCountOnce() {
    Intervals one = new Intervals(0, 100);
    assertThat(Intervals.ofTwo(List.of(one, new Intervals(10, 40), new Intervals(20, 50, 90, 100))))
        .isEqualTo(40 + 10);
  }

  @Test
  void thoseThatOnlyTouchDoNotOverlap() {
    assertThat(Intervals.ofTwo(List.of(new Intervals(0, 10), new Intervals(10, 20)))).isZero();
    assertThat(Intervals.ofTwo(List.of(new Intervals(0, 10), new Intervals()))).isZero();
    assertThat(Intervals.ofTwo(List.of(new Intervals(0, 10)))).isZero();
  }

  @Test
  void disorderIsRefused() {
    assertThatThrownBy(() -> new Intervals(0, 10, 5, 20)).hasMessageContaining("out of order");
    assertThatThrownBy(() -> new Intervals(0, 10, 20)).hasMessageContaining("no end");
  }
}
