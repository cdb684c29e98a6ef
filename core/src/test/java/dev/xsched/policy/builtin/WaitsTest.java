package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsTest {
  private static final long LIMIT = 1_050;

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

  private static Recent took(long... nanos) {
    Recent took = Recent.ofMost(nanos.length);
    for (long each : nanos) {
      took = took.with(each);
    }
    return took;
  }

  @Test
  void whatIsExpectedIsWhatItTakesAloneAndWhatIsAdded() {
    Waits waits = with(learned(), 16, 1_000, 130);
    assertThat(waits.expected(took(1_000, 2_000, 3_000), 100)).isEqualTo(3_030);
    assertThat(waits.expected(took(1_000, 2_000, 3_000), 50)).isEqualTo(2_030);
    Waits less = with(learned(), 16, 1_000, 60);
    assertThat(less.expected(took(1_000), 50)).as("it waited less than alone").isEqualTo(960);
  }

  @Test
  void aLongWaitIsAsLikelyForRequestsThatAreLongAlone() {
    Waits waits = with(with(learned(), 14, 1_000, 100), 2, 1_000, 600);
    Recent took = took(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_900);
    assertThat(waits.expected(took, 97)).isEqualTo(1_900);
    assertThat(waits.expected(took, 99)).isEqualTo(2_400);
  }

  @Test
  void whereNothingIsKnownNothingIsSeen() {
    assertThat(with(learned(), 16, 1_000, 100).areSeen(LIMIT)).isTrue();
    assertThat(with(learned(), 1, 1_000, 0).areSeen(LIMIT)).isFalse();
    assertThat(with(Waits.UNKNOWN, 1, 1_000, 100).areSeen(LIMIT)).isFalse();
    assertThat(with(Waits.UNKNOWN.withAlone(0), 1, 1_000, 100).areSeen(LIMIT)).isFalse();
    assertThat(with(with(learned(), 1, 1_000, 0), 16, 1_000, 100).areSeen(LIMIT)).isTrue();
  }

  @Test
  void whereMostAreLateTheProgramWaitsUnseen() {
    Waits waits = with(learned(), 16, 1_000, 100);
    assertThat(with(waits, 8, 1_200, 100).areSeen(LIMIT)).isTrue();
    assertThat(with(waits, 9, 1_200, 100).areSeen(LIMIT)).isFalse();
  }

  @Test
  void afterAChangeEnoughHaveToBeSeenAgain() {
    Waits waits = with(learned(), 16, 1_000, 100);
    assertThat(waits.areEnough()).isTrue();
    assertThat(with(waits.anew(), 15, 1_000, 100).areEnough()).isFalse();
    assertThat(with(waits.anew(), 16, 1_000, 100).areEnough()).isTrue();
  }
}
