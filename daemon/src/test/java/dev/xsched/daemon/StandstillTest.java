package dev.xsched.daemon;

import static dev.xsched.daemon.GpuGuests.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu;
import dev.xsched.link.Gpu.Channel;
import dev.xsched.link.Gpu.Interrupt;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program whose work does not end, and what the daemon makes of it. */
class StandstillTest {
  private final FakeChannels channels = new FakeChannels();
  private final GpuGuests guests;
  private final Guest low;
  private final Guest high;

  StandstillTest(@TempDir Path folder) throws Exception {
    guests = new GpuGuests(folder, "HPF", (_, _) -> channels);
    low = guests.come(0, Gpu.SLICES, "");
    low.gpu(0).showChannels(0, 1, List.of(new Channel(7, 1), new Channel(7, 2)));
    high = guests.come(10, Gpu.SLICES, "");
    for (Guest guest : List.of(low, high)) {
      guests.obey(guest);
      guests.ready(guest, 0);
    }
  }

  /** The first interrupt of a JVM may take longer than the 0.1 s for which a program waits. */
  @BeforeAll
  static void interruptOnce(@TempDir Path folder) throws Exception {
    StandstillTest first = new StandstillTest(folder);
    first.waitOften(1_000_000);
    until(() -> first.low.gpu(0).interruptOrder() == Interrupt.BY_DAEMON);
    first.guests.answerInterrupt(first.low, 0);
    Thread.sleep(50);
    first.close();
  }

  @BeforeEach
  void interruptLow() throws Exception {
    waitOften(1_000_000);
    until(() -> low.gpu(0).interruptOrder() == Interrupt.BY_DAEMON);
    guests.answerInterrupt(low, 0);
    until(() -> channels.off().size() == 2 && isCounted());
  }

  /** A moment after the channels are off; what is taken back before that is none that counts. */
  private boolean isCounted() {
    return guests.dispatcher.look(
        () ->
            guests.dispatcher.programs().stream()
                .flatMap(program -> program.queues().stream())
                .anyMatch(queue -> queue.interrupts > 0));
  }

  @AfterEach
  void close() {
    guests.close();
  }

  private void waitOften(long times) {
    high.slot(0).setCounts(times, times, times, 5_000);
    high.slot(0).setSyncs(times, 0);
    guests.tell(high, 0);
  }

  @Test
  void whatSomebodyElseDisabledIsEnabledAgain() throws Exception {
    guests.idle(high, 0);
    until(() -> channels.off().isEmpty());
    channels.disableFromOutside(1);
    low.slot(0).setCounts(8, 8, 4, 5_000);
    awaitEnabled();
  }

  @Test
  void whoStandsForLongIsDoubtedEverLessOften() throws Exception {
    guests.idle(high, 0);
    until(() -> channels.off().isEmpty());
    low.slot(0).setCounts(8, 8, 4, 5_000);
    int callsBefore = calls();
    for (int i = 0; i < 100; i++) {
      guests.tell(low, 0);
      Thread.sleep(1); // It is done by another thread.
    }
    until(() -> calls() > callsBefore);
    assertThat(calls() - callsBefore).isLessThanOrEqualTo(6);
    channels.disableFromOutside(1);
    awaitEnabled();
  }

  @Test
  void whoGetsOnIsNotDoubted() throws Exception {
    guests.idle(high, 0);
    until(() -> channels.off().isEmpty());
    channels.disableFromOutside(1);
    for (int i = 1; i < 50; i++) {
      low.slot(0).setCounts(i + 1, i + 1, i, 5_000);
      guests.tell(low, 0);
    }
    Thread.sleep(20); // It would be done by another thread.
    assertThat(channels.off()).containsExactly(1);
  }

  @Test
  void whoIsOutrankedIsNotDoubted() throws Exception {
    awaitPause();
    channels.disableFromOutside(1);
    low.slot(0).setCounts(8, 8, 4, 5_000);
    for (int i = 0; i < 50; i++) {
      guests.tell(low, 0);
    }
    Thread.sleep(20); // It would be done by another thread.
    assertThat(channels.off()).containsExactly(1);
    guests.idle(high, 0);
    awaitEnabled();
  }

  @Test
  void nobodyIsOffForLongForWhoLaunchesNothing() throws Exception {
    awaitPause();
    assertThat(high.slot(0).gateOpen()).isTrue();
    waitOften(2_000_000);
    until(() -> channels.off().size() == 2);
  }

  private int calls() {
    synchronized (channels) {
      return channels.calls;
    }
  }

  private void awaitEnabled() throws InterruptedException {
    until(
        () -> {
          guests.tell(low, 0);
          return channels.off().isEmpty();
        });
  }

  /** The high one has work all the time, and launches nothing more. */
  private void awaitPause() throws InterruptedException {
    until(
        () -> {
          guests.tell(high, 0);
          return channels.off().isEmpty();
        });
  }
}
