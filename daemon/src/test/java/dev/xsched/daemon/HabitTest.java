package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is learned from how a program launches and waits. */
class HabitTest {
  private static final long MILLI = 1_000_000;

  private final Habit habit = new Habit();
  private long launched;
  private long syncs;
  private long readyNanos;

  private void see(int looks, long moreLaunched, long moreSyncs, long moreReadyNanos) {
    for (int i = 0; i < looks; i++) {
      launched += moreLaunched;
      syncs += moreSyncs;
      readyNanos += moreReadyNanos;
      habit.look(launched, syncs, readyNanos);
    }
  }

  @Test
  void nothingIsKnownAtFirst() {
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void oneGraphForEachRequestLeavesNothingWithinIt() {
    see(10, 5, 5, 17 * MILLI);
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void launchesFarAheadOfAWaitLeaveGapsInProportion() {
    see(10, 7 * 600, 7, 7 * 14 * MILLI); // 14 ms each: 5 % are 700 us
    assertThat(habit.use()).isEqualTo(new Habit.Use(false, 512));
    see(40, 25 * 100, 25, 25 * 4 * MILLI);
    assertThat(habit.use()).isEqualTo(new Habit.Use(false, 128));
  }

  @Test
  void launchesThatKeepTheGpuBusyLeaveNone() {
    see(40, 10 * 32, 10, 10 * 5 * MILLI);
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void whoNeverWaitsLeavesWhatTheDriverWould() {
    see(10, 5_000, 0, 100 * MILLI);
    assertThat(habit.use()).isEqualTo(new Habit.Use(false, 2048));
  }

  @Test
  void requestsTooShortToBeInterruptedForLongAreNot() {
    see(10, 40 * 50, 40, 40 * 2 * MILLI);
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void aWaitAfterEachTinyKernelIsOften() {
    see(3, 300, 300, 60 * MILLI);
    assertThat(habit.use()).isEqualTo(new Habit.Use(true, 1));
  }

  @Test
  void aFewWaitsAreNotOften() {
    see(1, 10, 10, 2 * MILLI);
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void itIsOftenUntilItIsClearlyNotAnyMore() {
    see(3, 300, 300, 60 * MILLI);
    see(60, 70, 70, 100 * MILLI);
    assertThat(habit.use().waitsOften()).isTrue();
    see(60, 30, 30, 100 * MILLI);
    assertThat(habit.use().waitsOften()).isFalse();
  }

  @Test
  void whatWasWaitedForWhileAModelWasLoadedIsSoonForgotten() {
    see(1, 400, 400, 8 * MILLI);
    assertThat(habit.use().waitsOften()).isTrue();
    see(2, 3, 3, 10 * MILLI);
    assertThat(habit.use()).isEqualTo(Habit.Use.USUAL);
  }

  @Test
  void oneLookThatSaysOtherwiseIsNotEnough() {
    see(3, 300, 300, 60 * MILLI);
    for (int i = 0; i < 20; i++) {
      see(1, 3, 3, 10 * MILLI);
      assertThat(habit.use().waitsOften()).isTrue();
      see(1, 300, 300, 60 * MILLI);
    }
  }

  @Test
  void aPauseTeachesNothing() {
    see(3, 300, 300, 60 * MILLI);
    see(100, 0, 0, 0);
    assertThat(habit.use().waitsOften()).isTrue();
    assertThat(habit.isKnown()).isFalse();
    see(1, 300, 300, 60 * MILLI);
    assertThat(habit.isKnown()).isTrue();
  }

  @Test
  void countsThatFallAreNonsense() {
    see(3, 300, 300, 60 * MILLI);
    launched -= 500;
    syncs -= 500;
    see(1, 0, 0, MILLI);
    assertThat(habit.use().waitsOften()).isTrue();
  }
}
