package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimelineTest {
  private final Timeline<Long> timeline = new Timeline<>(3);

  @Test
  void theOldestMakeRoom() {
    for (int i = 0; i < 5; i++) {
      timeline.add(number -> number);
    }
    assertThat(timeline.after(-1)).containsExactly(3L, 4L, 5L);
    assertThat(timeline.after(2)).containsExactly(3L, 4L, 5L);
    assertThat(timeline.after(4)).containsExactly(5L);
    assertThat(timeline.after(5)).isEmpty();
    assertThat(timeline.after(Long.MAX_VALUE)).isEmpty();
  }

  @Test
  void untilItIsFullNothingIsLost() {
    timeline.add(number -> number);
    timeline.add(number -> number);
    assertThat(timeline.after(0)).containsExactly(1L, 2L);
    assertThat(timeline.after(1)).containsExactly(2L);
  }
}
