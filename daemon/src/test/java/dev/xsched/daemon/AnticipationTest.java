package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.Gpu.Early;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AnticipationTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final long EVERY = 20 * MILLI;
  private static final long LOOK = 100 * MILLI;

  private final Anticipation anticipation = new Anticipation();
  private long now = 5 * SECOND;
  private long turns;
  private long inVain;

  /** Requests have come evenly until now. */
  private Early look() {
    now += LOOK;
    return anticipation.look(begunUntil(now), turns, inVain, now);
  }

  private static long[] begunUntil(long nanos) {
    return LongStream.rangeClosed(-14, 0).map(i -> nanos + i * EVERY).toArray();
  }

  private Early lookAfter(long moreTurns, long moreInVain) {
    turns += moreTurns;
    inVain += moreInVain;
    return look();
  }

  @Test
  void theNextRequestIsExpected() {
    Early order = look();
    assertThat(order.at()).isEqualTo(now + EVERY);
    assertThat(order.every()).isEqualTo(EVERY);
    assertThat(order.lead()).isPositive();
    assertThat(order.slack()).isPositive();
    assertThat(order.lead() + order.slack()).isLessThan(2 * MILLI); // What programs bear with.
    assertThat(order.until()).isGreaterThan(now + LOOK);
    assertThat(anticipation.expects()).isTrue();
  }

  @Test
  void anOrderStandsUntilItIsTimeToRenewIt() {
    Early first = look();
    assertThat(look()).isSameAs(first);
    Early renewed = first;
    while (renewed.equals(first)) {
      assertThat(first.until()).isGreaterThan(now + LOOK);
      renewed = look();
    }
    assertThat(renewed.until()).isGreaterThan(first.until());
  }

  @Test
  void itIsRenewedAtOnceIfRequestsComeAtOtherTimes() {
    Early first = look();
    now += MILLI / 2;
    Early second = look();
    assertThat(second).isNotEqualTo(first);
    assertThat(second.at()).isEqualTo(now + EVERY);
    now -= MILLI / 2;
    assertThat(look()).isNotEqualTo(second);
  }

  @Test
  void nothingIsExpectedOfWhoHasNoRhythmOrNeedNone() {
    look();
    assertThat(anticipation.look(new long[0], 0, 0, now)).isEqualTo(Early.NONE);
    assertThat(anticipation.expects()).isFalse();
  }

  @Test
  void nothingIsExpectedDuringAPause() {
    Early order = look();
    long[] begun = begunUntil(now);
    assertThat(anticipation.look(begun, 0, 0, now + 2 * EVERY)).isEqualTo(order);
    assertThat(anticipation.look(begun, 0, 0, now + 3 * EVERY)).isEqualTo(Early.NONE);
    assertThat(anticipation.look(begun, 0, 0, now - 3 * EVERY)).isEqualTo(Early.NONE);
  }

  @Test
  void aFewInVainAreBorneWith() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(lookAfter(5, i % 2).every()).isEqualTo(EVERY);
    }
  }

  @Test
  void ifManyAreInVainItIsLeftForAWhileAndForLongerEachTime() {
    assertThat(lookAfter(5, 2).every()).isEqualTo(EVERY);
    assertThat(lookAfter(5, 2)).isEqualTo(Early.NONE);
    assertThat(looksUntilItIsTriedAgain()).isEqualTo(100);
    assertThat(lookAfter(8, 8)).isEqualTo(Early.NONE);
    assertThat(looksUntilItIsTriedAgain()).isEqualTo(200);
  }

  @Test
  void afterItWentWellTheNextPauseIsShortAgain() {
    assertThat(lookAfter(8, 8)).isEqualTo(Early.NONE);
    looksUntilItIsTriedAgain();
    assertThat(lookAfter(8, 0).every()).isEqualTo(EVERY);
    assertThat(lookAfter(8, 8)).isEqualTo(Early.NONE);
    assertThat(looksUntilItIsTriedAgain()).isEqualTo(100);
  }

  private int looksUntilItIsTriedAgain() {
    int looks = 1;
    while (look().every() == 0) {
      looks++;
    }
    return looks;
  }

  @Test
  void countsThatMakeNoSenseHarmNobody() {
    assertThat(anticipation.look(begunUntil(now), Long.MIN_VALUE, Long.MAX_VALUE, now)).isNotNull();
    assertThat(anticipation.look(begunUntil(now), Long.MAX_VALUE, Long.MIN_VALUE, now)).isNotNull();
    assertThat(anticipation.look(begunUntil(now), -1, -1, now)).isNotNull();
  }
}
