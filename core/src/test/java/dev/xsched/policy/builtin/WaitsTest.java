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
  void requestsTakeWhatTheyTakeAloneAndWhatIsAdded() {
    Recent took = took(1_000, 2_000, 3_000);
    assertThat(with(learned(), 16, 1_000, 130).prolong(took, 97)).isEqualTo(30);
    assertThat(with(learned(), 16, 1_000, 60).prolong(took, 97)).as("less").isEqualTo(-40);
  }

  @Test
  void aLongWaitIsRarelyThatOfALongRequest() {
    Waits waits = with(with(learned(), 13, 1_000, 100), 3, 1_000, 600);
    Recent took = took(1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_900);
    assertThat(waits.prolong(took, 97)).isZero();
    assertThat(waits.prolong(took, 99)).isEqualTo(500);
    assertThat(waits.prolong(took(1_000), 97)).isEqualTo(500);
  }

  @Test
  void oneThatIsWokenLateTellsNothing() {
    Waits waits = with(with(learned(), 15, 1_000, 100), 1, 1_000, 900);
    assertThat(waits.prolong(took(1_000), 100)).isZero();
  }

  @Test
  void whatVariesEvenAloneIsNoReason() {
    Waits waits = Waits.UNKNOWN;
    for (int i = 0; i < 64; i++) {
      waits = waits.withAlone(i % 4 == 0 ? 300 : 100);
    }
    for (int i = 0; i < 16; i++) {
      waits = waits.with(1_000, i % 4 == 0 ? 300 : 100);
    }
    assertThat(waits.prolong(took(1_000, 1_200), 97)).isZero();
  }

  @Test
  void whereNothingIsKnownNothingIsSeen() {
    assertThat(with(learned(), 16, 1_000, 100).areSeen(LIMIT)).isTrue();
    assertThat(with(learned(), 1, 1_000, 0).areSeen(LIMIT)).as("it had no need to").isTrue();
    assertThat(with(Waits.UNKNOWN, 1, 1_000, 100).areSeen(LIMIT)).isFalse();
    assertThat(with(Waits.UNKNOWN.withAlone(0), 1, 1_000, 100).areSeen(LIMIT)).isFalse();
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
