package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsTest {
  private static final long LIMIT = 1_050;
  private static final long SLACK = 50;

  /** Requests alone wait 100. */
  private static Waits learned() {
    Waits waits = Waits.UNKNOWN;
    for (int i = 0; i < 16; i++) {
      waits = waits.withAlone(100);
    }
    return waits;
  }

  private static Waits with(Waits waits, int requests, long took, long waited) {
    Waits later = waits;
    for (int i = 0; i < requests; i++) {
      later = later.with(took, waited);
    }
    return later;
  }

  private static boolean excused(Waits waits, long took, long waited) {
    return waits.with(took, waited).excuse(LIMIT, SLACK);
  }

  @Test
  void othersAreToBlameForWhatTheyAdded() {
    Waits waits = with(learned(), 16, 1_000, 100);
    assertThat(excused(waits, 1_100, 200)).isFalse();
    assertThat(excused(waits, 1_200, 200)).as("it would have been late anyway").isTrue();
    assertThat(excused(waits, 1_060, 120)).as("they may add as much").isTrue();
    assertThat(excused(waits, 1_200, 10)).as("it waited less than alone").isTrue();
  }

  @Test
  void whereNothingIsKnownTheyAreToBlame() {
    assertThat(excused(with(learned(), 16, 1_000, 100), 1_200, 0)).isFalse();
    assertThat(excused(with(Waits.UNKNOWN, 16, 1_000, 100), 1_200, 100)).isFalse();
    assertThat(excused(with(Waits.UNKNOWN.withAlone(0), 16, 1_000, 100), 1_200, 100)).isFalse();
  }

  @Test
  void whereMostAreLateTheProgramWaitsUnseen() {
    Waits waits = with(learned(), 16, 1_000, 100);
    assertThat(excused(with(waits, 7, 1_200, 100), 1_200, 100)).isTrue();
    assertThat(excused(with(waits, 8, 1_200, 100), 1_200, 100)).isFalse();
  }

  @Test
  void itIsClearWhileTheLatestWaitedLittleMoreThanAlone() {
    Waits waits = with(learned(), 16, 3_000, 140);
    assertThat(waits.areKnown() && waits.areClear(SLACK)).isTrue();
    assertThat(waits.with(1_000, 150).areClear(SLACK)).isFalse();
    assertThat(waits.with(1_000, 0).areKnown()).isFalse();
    assertThat(with(waits.with(1_000, 0), 16, 1_000, 100).areKnown()).isTrue();
  }
}
