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

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      assertThat(i).as("waited in vain").isLessThan(5_000);
      Thread.sleep(1);
    }
  }
}
