package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WaitsTest {
  /** Requests alone take one of these in turn, and wait 100. */
  private static Waits learned(long... took) {
    Waits waits = Waits.UNKNOWN;
    for (int i = 0; i < 48; i++) {
      waits = waits.withAlone(took[i % took.length], 100);
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

  private static Recent alone(long... took) {
    Recent alone = Recent.ofMost(took.length);
    for (long each : took) {
      alone = alone.with(each);
    }
    return alone;
  }

  @Test
  void requestsTakeWhatTheyTakeAloneAndWhatIsAdded() {
    Waits waits = learned(1_000, 2_000, 3_000);
    assertThat(with(waits, 16, 1_030, 130).prolong(97)).isEqualTo(30);
    assertThat(with(waits, 16, 1_000, 60).prolong(97)).as("less").isEqualTo(-40);
  }

  @Test
  void whatTheHostAddsIsTheProgramsOwn() {
    Waits waits = with(learned(1_000), 64, 1_530, 130);
    assertThat(waits.own().percentile(97)).isEqualTo(1_500);
    assertThat(waits.prolong(97)).isEqualTo(30);
  }

  @Test
  void aLongWaitIsRarelyThatOfALongRequest() {
    long[] took = {1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_900};
    Waits waits = with(with(learned(took), 13, 1_000, 100), 3, 1_500, 600);
    assertThat(waits.prolong(97)).isZero();
    assertThat(waits.prolong(99)).isEqualTo(500);
    waits = with(with(learned(1_000), 13, 1_000, 100), 3, 1_500, 600);
    assertThat(waits.prolong(97)).isEqualTo(500);
  }

  @Test
  void oneThatIsWokenLateTellsNothing() {
    Waits waits = with(with(learned(1_000), 15, 1_000, 100), 1, 1_800, 900);
    assertThat(waits.prolong(100)).isZero();
  }

  @Test
  void whatVariesEvenAloneIsNoReason() {
    Waits waits = Waits.UNKNOWN;
    for (int i = 0; i < 64; i++) {
      waits = waits.withAlone(1_000, i % 4 == 0 ? 300 : 100);
    }
    for (int i = 0; i < 16; i++) {
      waits = waits.with(1_000, i % 4 == 0 ? 300 : 100);
    }
    assertThat(waits.prolong(97)).isZero();
  }

  @Test
  void whereNobodyEverWaitsNothingIsKnown() {
    assertThat(learned(1_000).areKnown()).isTrue();
    assertThat(with(learned(1_000), 1, 1_000, 0).areKnown()).as("it had no need to").isTrue();
    Waits unknown = Waits.UNKNOWN;
    for (int i = 0; i < 48; i++) {
      unknown = unknown.withAlone(1_000, 0).with(1_000, 100);
    }
    assertThat(unknown.areKnown()).isFalse();
    assertThat(unknown).isEqualTo(Waits.UNKNOWN);
  }

  @Test
  void mostOfTheLatestMayBeLateByThemselves() {
    Waits waits = with(learned(1_000), 16, 1_000, 100);
    assertThat(with(waits, 8, 1_200, 100).areLateAlone(1_050)).isFalse();
    assertThat(with(waits, 9, 1_200, 100).areLateAlone(1_050)).isTrue();
    assertThat(with(waits, 9, 1_200, 300).areLateAlone(1_050)).as("by others").isFalse();
  }

  @Test
  void whoIsFasterAloneWaitsUnseen() {
    Waits waits = with(learned(1_000), 128, 1_200, 100);
    assertThat(waits.explain(alone(1_000, 1_100, 1_150))).isFalse();
    assertThat(waits.explain(alone(1_000, 1_100, 1_250))).isTrue();
  }

  @Test
  void whoWaitsAnotherTimeAloneHasToBeLearnedAnew() {
    Recent alone = alone(1_000, 1_000, 1_000);
    assertThat(learned(1_000).explain(alone)).isTrue();
    Waits longer = learned(1_000);
    Waits little = longer;
    for (int i = 0; i < 3; i++) {
      longer = longer.withAlone(1_000, 120);
      little = little.withAlone(1_000, 105);
    }
    assertThat(longer.explain(alone)).isFalse();
    assertThat(little.explain(alone)).isTrue();
  }

  @Test
  void withAnotherShareOnlyWhatIsAddedIsSeenAnew() {
    Waits waits = with(learned(1_000), 16, 1_200, 300).anew();
    assertThat(waits.added().count()).isZero();
    assertThat(waits.own().count()).isEqualTo(64);
    assertThat(waits.areKnown()).isTrue();
  }
}
