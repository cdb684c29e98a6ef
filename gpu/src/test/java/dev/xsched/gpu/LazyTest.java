package dev.xsched.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyTest {
  private final AtomicInteger tries = new AtomicInteger();

  @Test
  void isMadeOnceAndNotBeforeItIsWanted() {
    Lazy<Integer> lazy = new Lazy<>(tries::incrementAndGet);
    assertThat(tries).hasValue(0);
    assertThat(lazy.get()).isEqualTo(1);
    assertThat(lazy.get()).isEqualTo(1);
  }

  @Test
  void isTriedAgainAfterAFailure() {
    Lazy<Integer> lazy = new Lazy<>(this::secondTry);
    assertThatIllegalStateException().isThrownBy(lazy::get);
    assertThat(lazy.get()).isEqualTo(2);
  }

  private int secondTry() {
    if (tries.incrementAndGet() == 1) {
      throw new IllegalStateException();
    }
    return tries.get();
  }
}
