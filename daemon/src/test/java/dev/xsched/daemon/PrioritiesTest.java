package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.Mechanism.Contender;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrioritiesTest {
  private static final Contender HIGH = contender(10, true);
  private static final Contender MIDDLE = contender(5, true);
  private static final Contender LOW = contender(0, true);
  private static final Contender NEVER = contender(-256, false);

  private static Contender contender(int rank, boolean executes) {
    return new Contender(
        rank, executes, true, false, false, 0, Habit.Use.USUAL, Mechanism.Work.ON_GPU, true);
  }

  @Test
  void theHighestAndTheLowestRankGetTheEndsOfTheScale() {
    assertThat(orders(true, HIGH, LOW, LOW)).containsExactly(16, 1, 1);
  }

  @Test
  void allRanksBetweenGetWhatProgramsHaveByThemselves() {
    assertThat(orders(true, LOW, MIDDLE, contender(6, true), HIGH)).containsExactly(1, 8, 8, 16);
  }

  @Test
  void equalOnesAreLeftAsTheyAre() {
    assertThat(orders(true, HIGH, HIGH)).containsExactly(0, 0);
  }

  @Test
  void whoIsNeverToRunDoesNotCount() {
    assertThat(orders(true, HIGH, NEVER)).containsExactly(0, 0);
    assertThat(orders(true, NEVER)).containsExactly(0);
  }

  @Test
  void nobodyGetsOneWhereNotAllOfferThem() {
    assertThat(orders(false, HIGH, LOW)).containsExactly(0, 0);
  }

  private static List<Integer> orders(boolean offered, Contender... all) {
    Priorities priorities = Priorities.of(List.of(all), offered);
    return List.of(all).stream().map(priorities::order).toList();
  }
}
