package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu;
import dev.xsched.link.Slot;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What programs that offer time slices are told, and which gates stay open. */
class SlicesTest {
  private final GpuGuests guests;
  private final Dispatcher dispatcher;

  SlicesTest(@TempDir Path folder) throws IOException {
    guests = new GpuGuests(folder, "HPF");
    dispatcher = guests.dispatcher;
  }

  @AfterEach
  void close() {
    guests.close();
  }

  @Test
  void whoIsAloneIsLeftToTheDriver() throws Exception {
    Guest alone = guests.come(0, Gpu.SLICES, "");
    guests.ready(alone, 0);
    assertThat(alone.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void theHighRankGetsASecondAndTheLowOneMicrosecond() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    assertThat(high.gpu(0).sliceOrder()).isEqualTo(1_000_000);
    assertThat(low.gpu(0).sliceOrder()).isEqualTo(1);
    guests.leave(high);
    assertThat(low.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void gatesDoItUntilSlicesAreInForce() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    guests.ready(low, 0);
    guests.ready(high, 0);
    assertThat(low.slot(0).gateOpen()).isFalse();
    guests.obey(high);
    assertThat(low.slot(0).gateOpen()).isFalse();
    guests.obey(low);
    assertThat(low.slot(0).gateOpen()).isTrue();
    assertThat(low.slot(0).others()).isZero();
    assertThat(high.slot(0).ceiling()).isEqualTo(Slot.NO_CEILING);
    guests.idle(high, 0);
    guests.ready(high, 0);
    assertThat(low.slot(0).gateOpen()).isTrue();
  }

  @Test
  void whoHasItsShortSliceIsNotHeldUpUntilTheHighestHasHeardOfItsOwn() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    low.slot(0).use("all streams", "gpu:0", 4, false);
    Guest high = guests.come(10, Gpu.SLICES, "");
    guests.ready(low, 0);
    low.slot(0).setCounts(8, 8, 0, 50_000_000);
    guests.obey(low);
    int orders = low.gpu(0).interruptOrderSeq();
    guests.ready(high, 0);
    assertThat(low.slot(0).gateOpen()).isTrue();
    Thread.sleep(20); // An order would be given by another thread.
    assertThat(low.gpu(0).interruptOrderSeq()).isEqualTo(orders);
  }

  @Test
  void whoIsSetApartMayHaveRaisedTheCeilingJustBefore() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    UserBoard board = queueOf(high).program().board();
    for (int i = 0; i < 200; i++) {
      board.board().raise(0, queueOf(high).rank);
      guests.tell(high, 0);
    }
    assertThat(board.distrusted()).isFalse();
    for (int i = 0; i < 200; i++) {
      board.board().raise(0, queueOf(high).rank + 1);
      guests.tell(high, 0);
    }
    assertThat(board.distrusted()).isTrue();
  }

  @Test
  void gatesDoItAgainWhenAnotherProgramComesThatOffersNothing() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    Guest third = guests.come(0, Gpu.SLICES, "the GPU is divided (MIG)");
    assertThat(low.gpu(0).sliceOrder()).isEqualTo(1); // It has no work yet.
    guests.ready(third, 0);
    assertThat(low.gpu(0).sliceOrder()).isZero();
    assertThat(high.gpu(0).sliceOrder()).isZero();
    assertThat(low.slot(0).gateOpen()).isFalse();
    assertThat(low.slot(0).others()).isEqualTo(Slot.OTHERS_ABOVE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "the GPU is divided (MIG)"})
  void whoIsStoppedTakesSlicesFromNobody(String offersNothing) throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Guest stopped = guests.comeAs(process.pid(), 0, Gpu.SLICES, offersNothing);
      guests.ready(stopped, 0);
      assertThat(new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor())
          .isZero();
      Program program = queueOf(stopped).program();
      GpuGuests.until(
          () -> {
            dispatcher.tick(false);
            return program.stopped;
          });
      Guest low = guests.come(0, Gpu.SLICES, "");
      Guest high = guests.come(10, Gpu.SLICES, "");
      inForce(low, high);
      guests.ready(low, 0);
      guests.ready(high, 0);
      assertThat(low.gpu(0).sliceOrder()).isEqualTo(1);
      assertThat(low.slot(0).gateOpen()).isTrue();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void ranksBetweenAreLetInWhenWhoIsBelowIsOffTheGpu() throws Exception {
    Ranks ranks = threeRanks();
    assertThat(ranks.low.slot(0).others()).isEqualTo(Slot.OTHERS_ABOVE);
    assertThat(ranks.middle.slot(0).others()).isEqualTo(Slot.OTHERS_BELOW);
    assertThat(ranks.middle.slot(0).gateOpen()).isFalse();
    guests.ready(ranks.middle, 0);
    assertThat(ranks.low.slot(0).gateOpen()).isFalse();
    assertThat(ranks.middle.slot(0).gateOpen()).isFalse();
    GpuGuests.until(() -> isInterrupted(ranks.low));
    ranks.low.gpu(0).setInterrupted(true, ranks.low.gpu(0).interruptOrderSeq());
    dispatcher.interrupts().heard(queueOf(ranks.low));
    GpuGuests.until(() -> ranks.middle.slot(0).gateOpen());
    assertThat(ranks.low.slot(0).gateOpen()).isFalse();
    guests.idle(ranks.middle, 0);
    assertThat(ranks.low.slot(0).gateOpen()).isTrue();
    GpuGuests.until(() -> !isInterrupted(ranks.low));
  }

  @Test
  void andAlreadyWhileTheDriverTakesItOff() throws Exception {
    Ranks ranks = threeRanks();
    guests.ready(ranks.middle, 0);
    assertThat(ranks.middle.slot(0).gateOpen()).isFalse();
    // At once: the thread that interrupts writes there, too, and here no driver takes anything off.
    boolean isLetIn =
        dispatcher.look(
            () -> {
              queueOf(ranks.low).leavesAt = System.nanoTime();
              guests.tell(ranks.middle, 0);
              return ranks.middle.slot(0).gateOpen();
            });
    assertThat(isLetIn).isTrue();
    assertThat(ranks.low.slot(0).gateOpen()).isFalse();
  }

  @Test
  void butTheyDoNotWaitForLongIfItIsNot() throws Exception {
    Ranks ranks = threeRanks();
    guests.ready(ranks.middle, 0);
    GpuGuests.until(
        () -> {
          guests.tell(ranks.middle, 0);
          return ranks.middle.slot(0).gateOpen();
        });
    assertThat(ranks.low.slot(0).gateOpen()).isFalse();
  }

  @Test
  void whoHasNoWorkNeedNotHaveObeyedYet() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    Guest idle = guests.come(0, Gpu.SLICES, "");
    inForce(low, high);
    assertThat(low.slot(0).others()).isZero();
    guests.ready(idle, 0);
    assertThat(low.slot(0).gateOpen()).isFalse();
    guests.obey(idle);
    assertThat(low.slot(0).gateOpen()).isTrue();
  }

  @Test
  void aLevelThatWasChosenIsObeyed() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    dispatcher.change(
        () -> {
          dispatcher.programs().forEach(p -> p.queues().forEach(q -> q.setLevel(1)));
          return true;
        });
    assertThat(low.gpu(0).sliceOrder()).isZero();
    assertThat(high.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void aPolicyWithoutRanksIsCarriedOutByGates() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    guests.come(10, Gpu.SLICES, "");
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(Policies.named("CFS"));
          return true;
        });
    assertThat(low.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void theDaemonEndsAndLeavesSlicesToTheDriver() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    dispatcher.close();
    assertThat(low.gpu(0).sliceOrder()).isZero();
    assertThat(high.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void whoWaitsAfterEachTinyKernelHasOthersInterruptedWhileItHasWork() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    Thread.sleep(150); // It has been ready for longer than it may be held.
    waitOften(high);
    assertThat(high.slot(0).others()).isEqualTo(Slot.OTHERS_STOPPED);
    assertThat(high.slot(0).gateOpen()).isFalse();
    assertThat(low.slot(0).gateOpen()).isTrue();
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.HERE);
    low.gpu(0).setInterrupted(true, low.gpu(0).interruptOrderSeq());
    dispatcher.interrupts().heard(queueOf(low));
    GpuGuests.until(() -> high.slot(0).gateOpen());
    guests.idle(high, 0);
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.NONE);
  }

  @Test
  void whoWaitsUntilOthersAreOffTheGpuIsNotTakenOffItself() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    Thread.sleep(150); // It has been ready for longer than it may be held.
    waitOften(high);
    high.slot(0).setCounts(1_000_008, 1_000_008, 1_000_000, 50_000_000);
    guests.tell(high, 0);
    assertThat(high.slot(0).gateOpen()).isFalse();
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.HERE);
    Thread.sleep(20); // An order would be given by another thread.
    assertThat(high.gpu(0).interruptOrder()).isEqualTo(Gpu.Interrupt.NONE);
  }

  @Test
  void nobodyWaitsForLongForOthersToBeInterrupted() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    waitOften(high);
    GpuGuests.until(
        () -> {
          guests.tell(high, 0);
          return high.slot(0).gateOpen();
        });
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.NONE);
  }

  @Test
  void whoIsNewTellsItsPausesUntilItsHabitIsKnown() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    inForce(low, high);
    assertThat(high.slot(0).others()).isEqualTo(Slot.OTHERS_STOPPED | Slot.OTHERS_EARLY);
    for (int i = 1; i <= 5; i++) {
      guests.ready(high, 0);
      high.slot(0).setCounts(i, i, i, 3_000_000);
      high.slot(0).setSyncs(i, 0);
      Thread.sleep(2);
      guests.idle(high, 0);
    }
    assertThat(high.slot(0).others()).isEqualTo(Slot.OTHERS_EARLY);
  }

  private void waitOften(Guest guest) {
    guest.slot(0).setCounts(1_000_000, 1_000_000, 1_000_000, 5_000);
    guest.slot(0).setSyncs(1_000_000, 0);
    guests.tell(guest, 0);
  }

  private ManagedQueue queueOf(Guest guest) {
    return dispatcher.look(
        () ->
            dispatcher.programs().stream()
                .filter(p -> p.id() == guest.id())
                .findFirst()
                .orElseThrow()
                .queues()
                .getFirst());
  }

  private void inForce(Guest low, Guest high) {
    guests.ready(low, 0);
    guests.ready(high, 0);
    guests.obey(low);
    guests.obey(high);
    assertThat(low.slot(0).gateOpen()).isTrue();
  }

  @Test
  void equalOnesTakeTurnsBelowTheHighest() throws Exception {
    Guest one = guests.come(0, Gpu.SLICES, "");
    Guest other = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    for (Guest guest : List.of(one, other, high)) {
      guests.obey(guest);
    }
    guests.ready(one, 0);
    guests.ready(other, 0);
    Gpu.Interrupt none = Gpu.Interrupt.NONE;
    GpuGuests.until(
        () -> {
          guests.tell(one, 0);
          return one.gpu(0).interruptOrder() != none && other.gpu(0).interruptOrder() == none;
        });
    GpuGuests.until(
        () -> {
          guests.tell(one, 0);
          return one.gpu(0).interruptOrder() == none && other.gpu(0).interruptOrder() != none;
        });
    guests.idle(one, 0);
    GpuGuests.until(() -> other.gpu(0).interruptOrder() == none);
  }

  /** Of three ranks; the lowest has work in flight for half a second. */
  private record Ranks(Guest low, Guest middle, Guest high) {}

  private Ranks threeRanks() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest middle = guests.come(5, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    for (Guest guest : List.of(low, middle, high)) {
      guests.obey(guest);
    }
    guests.ready(low, 0);
    low.slot(0).setCounts(8, 8, 0, 50_000_000);
    return new Ranks(low, middle, high);
  }

  private static boolean isInterrupted(Guest guest) {
    return guest.gpu(0).interruptOrder() == Gpu.Interrupt.HERE;
  }

  @Test
  void whoHasToWaitIsTakenOffTheGpuHoweverLittleItHasThere() throws Exception {
    Ranks ranks = threeRanks();
    ranks.low.slot(0).setCounts(8, 8, 7, 50);
    guests.ready(ranks.middle, 0);
    GpuGuests.until(() -> isInterrupted(ranks.low));
    guests.idle(ranks.middle, 0);
    GpuGuests.until(() -> !isInterrupted(ranks.low));
  }

  @Test
  void withGatesOnlyWorkThatOutlastsAnInterruptIsTakenOffTheGpu() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    guests.ready(low, 0);
    low.slot(0).setCounts(8, 8, 0, 50_000);
    guests.ready(high, 0); // It has not heard of its slice.
    assertThat(low.slot(0).gateOpen()).isFalse();
    Thread.sleep(20); // An order would be given by another thread.
    assertThat(isInterrupted(low)).isFalse();
    low.slot(0).setCounts(8, 8, 0, 50_000_000);
    guests.tell(low, 0);
    GpuGuests.until(() -> isInterrupted(low));
  }

  @Test
  void theHighestIsNotDisturbedByInterruptsAmongTheOthers() throws Exception {
    Ranks ranks = threeRanks();
    assertThat(ranks.high.slot(0).others())
        .isEqualTo(Slot.OTHERS_BELOW | Slot.OTHERS_APART | Slot.OTHERS_EARLY);
    boolean inPeace = false;
    while (!inPeace) { // On a busy machine it may have had work for too long already.
      long before = System.nanoTime();
      guests.ready(ranks.high, 0);
      int orders = ranks.low.gpu(0).interruptOrderSeq();
      guests.ready(ranks.middle, 0);
      Thread.sleep(3); // An order would be given by another thread.
      inPeace = System.nanoTime() - before < 15_000_000;
      assertThat(ranks.low.slot(0).gateOpen()).isFalse();
      assertThat(inPeace && ranks.low.gpu(0).interruptOrderSeq() != orders).isFalse();
      guests.idle(ranks.high, 0);
      GpuGuests.until(() -> isInterrupted(ranks.low));
      guests.idle(ranks.middle, 0);
      GpuGuests.until(() -> !isInterrupted(ranks.low));
    }
  }

  @Test
  void whatDoesNotDisturbTheHighestIsTakenOffMeanwhile() throws Exception {
    Ranks ranks = threeRanks();
    ranks.low.gpu(0).setReminds(true);
    boolean meanwhile = false;
    for (int i = 0; i < 1_000 && !meanwhile; i++) { // A busy machine may take too long for it.
      long before = System.nanoTime();
      guests.ready(ranks.high, 0);
      guests.ready(ranks.middle, 0);
      Thread.sleep(3);
      meanwhile = isInterrupted(ranks.low) && System.nanoTime() - before < 15_000_000;
      guests.idle(ranks.middle, 0);
      guests.idle(ranks.high, 0);
      GpuGuests.until(() -> !isInterrupted(ranks.low));
    }
    assertThat(meanwhile).isTrue();
  }

  @Test
  void whoNeverPausesDoesNotKeepTheOthersFromInterruptingEachOther() throws Exception {
    Ranks ranks = threeRanks();
    guests.ready(ranks.high, 0);
    guests.ready(ranks.middle, 0);
    GpuGuests.until(
        () -> {
          guests.tell(ranks.middle, 0);
          return isInterrupted(ranks.low);
        });
  }

  @Test
  void whoAskedForLevelThreeIsInterruptedWhateverIsInFlight() throws Exception {
    Guest low = guests.come(0, Gpu.SLICES, "");
    low.slot(0).use("all streams", "gpu:0", 4, false);
    Guest middle = guests.come(5, Gpu.SLICES, "");
    Guest high = guests.come(10, Gpu.SLICES, "");
    for (Guest guest : List.of(low, middle, high)) {
      guests.obey(guest);
    }
    guests.ready(low, 0);
    low.slot(0).setCounts(1, 1, 0, 50);
    guests.ready(middle, 0);
    GpuGuests.until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.HERE);
  }
}
