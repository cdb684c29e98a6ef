package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class AlarmTest {
  private final AtomicInteger rang = new AtomicInteger();

  @Test
  void anErrorIsNotTheEndOfIt() throws Exception {
    Alarm alarm =
        new Alarm(
            () -> {
              rang.incrementAndGet();
              throw new StackOverflowError();
            },
            System::nanoTime);
    alarm.start();
    for (int times = 1; times <= 3; times++) {
      int wanted = times;
      alarm.set(System.nanoTime());
      await(() -> rang.get() == wanted);
    }
    alarm.close();
  }

  @Test
  void aTimeThatIsSetJustWhenOneHasComeIsNotLost() throws Exception {
    long soon = System.nanoTime();
    long later = soon + 5_000_000;
    Alarm[] alarm = new Alarm[1];
    alarm[0] =
        new Alarm(
            rang::incrementAndGet,
            () -> {
              long now = System.nanoTime();
              if (now < later) {
                alarm[0].set(later);
              }
              return now;
            });
    alarm[0].set(soon);
    alarm[0].start();
    await(() -> rang.get() > 0);
    assertThat(System.nanoTime()).isGreaterThanOrEqualTo(later);
    alarm[0].close();
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertThat(i).as("waited in vain").isLessThan(5_000);
      Thread.sleep(1);
    }
  }
}
