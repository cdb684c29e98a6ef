package dev.xsched.bench.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BaselinesTest {
  private static final long MS = 1_000_000;

  @Test
  void whoeverOverdrawsWaitsUntilItIsPaid() {
    TokenBucket bucket = new TokenBucket(20);
    assertThat(bucket.open()).isFalse();
    bucket.refill(10 * MS, 0);
    assertThat(bucket.open()).isTrue();
    bucket.refill(10 * MS, 8 * MS); // 2 + 2 - 8: four ms owed, two refills to pay
    assertThat(bucket.open()).isFalse();
    bucket.refill(10 * MS, 0);
    assertThat(bucket.open()).isFalse();
    bucket.refill(11 * MS, 0);
    assertThat(bucket.open()).isTrue();
  }

  @Test
  void longPauseIsNoBurst() {
    TokenBucket bucket = new TokenBucket(50);
    bucket.refill(1_000 * MS, 0);
    bucket.refill(0, 11 * MS);
    assertThat(bucket.open()).isFalse();
  }

  @Test
  void rateGrowsByStepsAndIsHalvedWhenTheOtherSlowsDown() {
    RateController controller = new RateController();
    for (int i = 0; i < 3; i++) {
      assertThat(controller.adjust(0.8)).isEqualTo(1);
    }
    assertThat(controller.adjust(0.8)).isEqualTo(2);
    assertThat(controller.adjust(0.77)).isEqualTo(3);
    assertThat(controller.adjust(Double.NaN)).isEqualTo(4);
    assertThat(controller.adjust(0.75)).isEqualTo(2);
    assertThat(controller.adjust(0.1)).isEqualTo(1);
    assertThat(controller.adjust(0.1)).isEqualTo(1);
  }
}
