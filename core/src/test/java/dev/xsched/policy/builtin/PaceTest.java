package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PaceTest {
  @Test
  void itBeginsStrictAndSoonLetsAllIn() {
    assertThat(Pace.STRICT.share()).isZero();
    assertThat(inTime(Pace.STRICT, 100).share()).isEqualTo(1);
  }

  @Test
  void itStaysWhereTheLatestRequestsAreCloseToTheGoal() {
    Pace pace = inTime(Pace.STRICT, 50);
    Pace later = pace;
    for (int i = 0; i < 1_000; i++) {
      later = later.after(false, false);
    }
    assertThat(later.share()).isEqualTo(pace.share());
  }

  @Test
  void itForgivesOneMissAndReducesAtTheNext() {
    Pace pace = inTime(Pace.STRICT, 50);
    Pace once = inTime(pace.after(true, false), 5);
    assertThat(once.share()).isEqualTo(pace.share());
    assertThat(once.after(true, false).share()).isEqualTo(0.8 * pace.share());
  }

  @Test
  void whatIsKnownToBeTooMuchOrTooLittleIsScaledWithoutAMiss() {
    assertThat(Pace.STRICT.scaled(0.7).share()).as("it was not too much").isZero();
    assertThat(Pace.STRICT.scaled(1.5).share()).isCloseTo(0.05, within(1e-9));
    Pace all = inTime(Pace.STRICT, 100);
    assertThat(all.scaled(1.5).share()).as("there is no more").isEqualTo(1);
    assertThat(all.scaled(0.8).share()).isCloseTo(0.78, within(1e-9));
    assertThat(all.scaled(0.1).share()).as("no faster").isCloseTo(0.45, within(1e-9));
    assertThat(all.scaled(0.1).scaled(0.1).scaled(0.1).scaled(0.1).share()).isZero();
  }

  @Test
  void whatIsRightStaysExactlyAsItIs() {
    Pace pace = Pace.STRICT.begun();
    assertThat(pace.share()).isEqualTo(0.25);
    for (int i = 0; i < 10; i++) {
      pace = pace.scaled(1);
    }
    assertThat(pace.share()).isEqualTo(0.25);
    assertThat(pace.isFirst()).isTrue();
    assertThat(pace.begun().share()).as("it has begun").isEqualTo(0.25);
  }

  @Test
  void whatWasTooMuchIsTriedAgainWithPatience() {
    Pace pace = Pace.STRICT.begun().scaled(0.5);
    double less = pace.share();
    assertThat(less).isCloseTo(0.075, within(1e-9));
    assertThat(pace.scaled(1.2).share()).as("less than that").isBetween(less, 0.25);
    for (int i = 0; i < 64; i++) {
      pace = pace.scaled(2.5);
      assertThat(pace.share()).as("after %s", i).isEqualTo(less);
    }
    assertThat(pace.scaled(2.5).share()).isGreaterThan(0.25);
  }

  @Test
  void missesInARowEndInStrictPriorityWithinTenRequests() {
    Pace pace = Pace.STRICT;
    pace = inTime(pace, 200);
    for (int i = 0; i < 10; i++) {
      pace = pace.after(true, false);
    }
    assertThat(pace.share()).isZero();
  }

  @Test
  void afterAReductionItGrowsSlowlyAndLessOftenEachTime() {
    Pace pace = reduced(inTime(Pace.STRICT, 200));
    int first = untilGrowth(pace);
    int second = untilGrowth(reduced(reduced(reduced(reduced(pace)))));
    assertThat(first).isGreaterThan(290);
    assertThat(second).isGreaterThan(first);
    assertThat(inTime(pace, first).share()).isEqualTo(1.1 * pace.share());
  }

  @Test
  void oneMissInTwoHundredIsTooMany() {
    Pace pace = inTime(Pace.STRICT, 200);
    for (int i = 0; i < 40; i++) {
      pace = inTime(pace.after(true, false), 199);
    }
    assertThat(pace.share()).isLessThan(0.5);
  }

  @Test
  void oneMissInFourHundredIsForgivenForEver() {
    Pace pace = inTime(Pace.STRICT, 200);
    for (int i = 0; i < 40; i++) {
      pace = inTime(pace.after(true, false), 399);
    }
    assertThat(pace.share()).isEqualTo(1);
  }

  private static Pace inTime(Pace pace, int requests) {
    Pace later = pace;
    for (int i = 0; i < requests; i++) {
      later = later.after(false, true);
    }
    return later;
  }

  private static Pace reduced(Pace pace) {
    Pace less = pace;
    while (less.share() >= pace.share()) {
      less = less.after(true, false).after(false, false);
    }
    return less;
  }

  private static int untilGrowth(Pace pace) {
    Pace later = pace;
    int requests = 0;
    while (later.share() <= pace.share()) {
      later = later.after(false, true);
      requests++;
    }
    return requests;
  }
}
