package dev.xsched.policy.builtin;

import static org.assertj.core.api.Assertions.assertThat;

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
  void whatIsKnownToBeTooMuchIsReducedWithoutAMiss() {
    assertThat(Pace.STRICT.less()).as("it was not too much").isEqualTo(Pace.STRICT);
    Pace pace = inTime(Pace.STRICT, 100).less();
    assertThat(pace.share()).isEqualTo(0.8);
    assertThat(inTime(pace, 63).share()).isEqualTo(0.8);
    assertThat(inTime(pace, 64).share()).isEqualTo(1.1 * 0.8);
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
