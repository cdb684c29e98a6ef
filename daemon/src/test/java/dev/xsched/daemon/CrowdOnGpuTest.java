package dev.xsched.daemon;

import static dev.xsched.daemon.GpuGuests.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu.Interrupt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two high programs and many low ones on a GPU, and programs that come and go. */
class CrowdOnGpuTest {
  private static final int MANY = 12;
  private static final int STEPS = 200;

  private final GpuGuests guests;

  CrowdOnGpuTest(@TempDir Path folder) throws IOException {
    guests = new GpuGuests(folder, "HPF");
  }

  @AfterEach
  void close() {
    guests.close();
  }

  @Test
  void twoHighOnesShareByTheDriversSlicesAndManyLowOnesTakeTurns() throws Exception {
    List<Guest> low = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      low.add(guests.come(0, 0));
    }
    Guest one = guests.come(10, 0);
    Guest other = guests.come(10, 0);
    int atFirst = one.gpu(0).interruptOrderSeq();
    guests.ready(one, 0);
    guests.ready(other, 0);
    low.forEach(guests::obey);
    guests.obey(one);
    guests.obey(other);
    assertThat(List.of(one, other)).allSatisfy(g -> assertThat(g.gpu(0).sliceOrder()).isZero());
    assertThat(low).allSatisfy(g -> assertThat(g.gpu(0).sliceOrder()).isEqualTo(1));
    low.forEach(guest -> guests.ready(guest, 0));
    assertThat(List.of(one, other)).allSatisfy(g -> assertThat(g.slot(0).gateOpen()).isTrue());
    for (Guest guest : low) {
      awaitTurn(guest, low, false);
      awaitTurn(guest, low, true);
    }
    assertThat(List.of(one, other))
        .allSatisfy(g -> assertThat(g.gpu(0).interruptOrderSeq()).isEqualTo(atFirst));
  }

  /** Waits until it is off the GPU, or until it is on it and others are off. */
  private void awaitTurn(Guest guest, List<Guest> all, boolean on) throws InterruptedException {
    until(
        () -> {
          all.forEach(g -> guests.answerInterrupt(g, 0));
          return isOff(guest) != on && (!on || all.stream().anyMatch(CrowdOnGpuTest::isOff));
        });
  }

  private static boolean isOff(Guest guest) {
    return guest.gpu(0).interruptOrder() != Interrupt.NONE;
  }

  /** Whoever came, went and had work in between: those that are left are as if only they came. */
  @RepeatedTest(5)
  void whoStaysIsLeftAsIfTheOthersHadNeverBeenThere(RepetitionInfo repetition) throws Exception {
    Random random = new Random(repetition.getCurrentRepetition());
    Guest low = guests.come(0, 0);
    Guest high = guests.come(10, 0);
    List<Guest> passing = new ArrayList<>();
    for (int i = 0; i < STEPS; i++) {
      int choice = random.nextInt(5);
      if (passing.isEmpty() || (choice == 0 && passing.size() < MANY)) {
        passing.add(guests.come(random.nextInt(-20, 20), 0));
        continue;
      }
      Guest guest = passing.get(random.nextInt(passing.size()));
      switch (choice) {
        case 1 -> guests.ready(guest, 0);
        case 2 -> guests.idle(guest, 0);
        case 3 -> guests.answerInterrupt(guest, 0);
        default -> {
          passing.remove(guest);
          guests.leave(guest);
        }
      }
      guests.obey(low);
      guests.obey(high);
      passing.forEach(guests::obey);
    }
    passing.forEach(guests::leave);
    for (Guest guest : List.of(low, high)) {
      guests.obey(guest);
      guests.ready(guest, 0);
    }
    guests.obey(low);
    assertThat(low.gpu(0).sliceOrder()).isEqualTo(1);
    assertThat(high.gpu(0).sliceOrder()).isEqualTo(1_000_000);
    assertThat(low.slot(0).gateOpen()).isTrue();
    assertThat(high.slot(0).gateOpen()).isTrue();
    assertThat(low.slot(0).others()).isZero();
    until(() -> low.gpu(0).interruptOrder() == Interrupt.NONE);
    until(() -> high.gpu(0).interruptOrder() == Interrupt.NONE);
    guests.leave(high);
    assertThat(low.gpu(0).sliceOrder()).isZero();
  }
}
