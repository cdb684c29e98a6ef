package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu;
import dev.xsched.link.Slot;
import dev.xsched.policy.Policies;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose requests are expected, so that the GPU turns to it before they come. */
class EarlyTurnsTest {
  /** Long, because a busy machine must not make a pause of it. */
  private static final long EVERY = Duration.ofMillis(200).toNanos();

  private final GpuGuests guests;
  private final Guest low;
  private final Guest high;

  EarlyTurnsTest(@TempDir Path folder) throws Exception {
    guests = new GpuGuests(folder, "HPF");
    low = guests.come(0, Gpu.SLICES, "");
    high = guests.come(10, Gpu.SLICES, "");
  }

  @AfterEach
  void close() {
    guests.close();
  }

  private void slicesAreInForce() {
    guests.obey(low);
    guests.obey(high);
  }

  /** Requests came evenly until now, and the daemon has looked at that. */
  private void requestsOf(Guest guest) {
    long now = System.nanoTime();
    for (int i = 14; i >= 0; i--) {
      guest.gpu(0).begin(now - i * EVERY);
    }
    guests.tell(guest, 0);
  }

  private static boolean isExpected(Guest guest) {
    return guest.gpu(0).earlyOrder().every() != 0;
  }

  private static boolean isAsked(Guest guest) {
    return (guest.slot(0).others() & Slot.OTHERS_EARLY) != 0;
  }

  @Test
  void theHighestRankIsIfItComesEvenly() throws Exception {
    slicesAreInForce();
    assertThat(isAsked(high)).isTrue();
    assertThat(isAsked(low)).isFalse();
    assertThat(isExpected(high)).isFalse();
    int orders = high.block().gpuOrders();
    requestsOf(high);
    requestsOf(low);
    assertThat(high.gpu(0).earlyOrder().every()).isEqualTo(EVERY);
    assertThat(high.block().gpuOrders()).isGreaterThan(orders);
    assertThat(isExpected(low)).isFalse();
  }

  @Test
  void peopleSeeIt() throws Exception {
    slicesAreInForce();
    requestsOf(high);
    high.gpu(0).setEarlyTurns(3, 1);
    String how = "the highest rank preempts by time slices";
    assertThat(guests.shown(high).reason())
        .isEqualTo(how + ", and the GPU turns to it before its requests come");
    assertThat(guests.shown(low).reason()).isEqualTo(how);
    assertThat(guests.shown(high).earlyTurns()).isEqualTo(3);
    assertThat(guests.shown(high).earlyTurnsInVain()).isEqualTo(1);
  }

  @Test
  void nobodyIsWhoseRequestsDoNotComeAnyMore() throws Exception {
    slicesAreInForce();
    requestsOf(high);
    Thread.sleep(Duration.ofNanos(4 * EVERY));
    guests.tell(high, 0);
    assertThat(isExpected(high)).isFalse();
  }

  @Test
  void nobodyIsWithoutOthersToTurnFrom() throws Exception {
    slicesAreInForce();
    requestsOf(high);
    guests.leave(low);
    assertThat(isAsked(high)).isFalse();
    requestsOf(high);
    assertThat(isExpected(high)).isFalse();
  }

  @Test
  void nobodyIsWhileGatesDoIt() throws Exception {
    guests.ready(low, 0);
    guests.ready(high, 0);
    requestsOf(high);
    assertThat(isAsked(high) || isExpected(high)).isFalse();
  }

  @Test
  void nobodyIsIfTwoOfTheHighestRankShareTheGpu() throws Exception {
    Guest other = guests.come(10, Gpu.SLICES, "");
    guests.ready(high, 0);
    guests.ready(other, 0);
    guests.obey(other);
    slicesAreInForce();
    requestsOf(high);
    assertThat(isAsked(high) || isExpected(high)).isFalse();
  }

  @Test
  void nobodyIsWhileOthersAreInterruptedForIt() throws Exception {
    slicesAreInForce();
    guests.ready(high, 0);
    Thread.sleep(2);
    high.slot(0).setCounts(1_000_000, 1_000_000, 1_000_000, 5_000);
    high.slot(0).setSyncs(1_000_000, 0);
    guests.tell(high, 0);
    requestsOf(high);
    assertThat(isAsked(high) || isExpected(high)).isFalse();
  }

  @Test
  void nobodyIsUnderAPolicyWithoutRanks() throws Exception {
    slicesAreInForce();
    requestsOf(high);
    guests.dispatcher.change(
        () -> {
          guests.dispatcher.scheduler().setPolicy(Policies.named("CFS"));
          return true;
        });
    requestsOf(high);
    assertThat(isAsked(high) || isExpected(high)).isFalse();
  }

  @Test
  void theOrderEndsWithTheDaemon() throws Exception {
    slicesAreInForce();
    requestsOf(high);
    assertThat(isExpected(high)).isTrue();
    guests.dispatcher.close();
    assertThat(isExpected(high) || isAsked(high)).isFalse();
  }
}
