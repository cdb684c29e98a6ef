package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;

  private final Patience patience = new Patience();
  private long now;

  private void holdInVain() {
    assertThat(patience.ends(true, now)).isFalse();
    now += 101 * MILLI;
    assertThat(patience.ends(true, now)).isTrue();
  }

  private void await(long nanos) {
    assertThat(patience.goneNanos(now)).isEqualTo(nanos);
    now += nanos;
    assertThat(patience.goneNanos(now)).isZero();
  }

  @Test
  void whoIsLetInSoonKeepsIt() {
    for (int i = 0; i < 100; i++) {
      assertThat(patience.ends(true, now)).isFalse();
      now += 50 * MILLI;
      assertThat(patience.ends(true, now)).isFalse();
      assertThat(patience.ends(false, now)).isFalse();
      assertThat(patience.goneNanos(now)).isZero();
      now += 50 * MILLI;
    }
  }

  @Test
  void itComesBackAndMoreSlowlyEachTime() {
    holdInVain();
    await(10 * SECOND);
    holdInVain();
    await(20 * SECOND);
    for (int i = 0; i < 10; i++) {
      holdInVain();
      now += patience.goneNanos(now);
    }
    holdInVain();
    await(600 * SECOND);
  }

  @Test
  void oneGoodTimeMakesUpForAll() {
    holdInVain();
    await(10 * SECOND);
    holdInVain();
    await(20 * SECOND);
    assertThat(patience.ends(true, now)).isFalse();
    assertThat(patience.ends(false, now + MILLI)).isFalse();
    now += SECOND;
    holdInVain();
    await(10 * SECOND);
  }
}
