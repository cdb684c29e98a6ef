package dev.xsched.daemon;

import static dev.xsched.daemon.GpuGuests.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.link.Gpu.Interrupt;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is done on one GPU leaves the others alone, also within one program. */
class SeveralGpusTest {
  private final GpuGuests guests;

  SeveralGpusTest(@TempDir Path folder) throws IOException {
    guests = new GpuGuests(folder, "HPF");
  }

  @AfterEach
  void close() {
    guests.close();
  }

  @Test
  void slicesAreOrderedWhereRanksMeet() throws Exception {
    Guest both = guests.come(0, 0, 1);
    Guest high = guests.come(10, 0);
    assertThat(both.gpu(0).sliceOrder()).isEqualTo(1);
    assertThat(both.gpu(1).sliceOrder()).isZero();
    guests.obey(both);
    guests.obey(high);
    guests.ready(both, 0);
    guests.ready(both, 1);
    guests.ready(high, 0);
    assertThat(both.slot(0).gateOpen()).isTrue();
    assertThat(both.slot(1).gateOpen()).isTrue();
    assertThat(both.slot(1).others()).isZero();
    Guest low = guests.come(-10, 1);
    assertThat(both.gpu(0).sliceOrder()).isEqualTo(1);
    assertThat(both.gpu(1).sliceOrder()).isEqualTo(1_000_000);
    guests.leave(high);
    assertThat(both.gpu(0).sliceOrder()).isZero();
    assertThat(both.gpu(1).sliceOrder()).isEqualTo(1_000_000);
    guests.leave(low);
    assertThat(both.gpu(1).sliceOrder()).isZero();
  }

  @Test
  void gatesDoItOnOneAndSlicesOnTheOther() throws Exception {
    Guest both = guests.come(0, 0, 1);
    Guest high = guests.come(10, 0, 1);
    guests.obey(high);
    both.gpu(1).setSliceMicros(both.gpu(1).sliceOrder());
    guests.tell(both, 1);
    for (int gpu : List.of(0, 1)) {
      guests.ready(both, gpu);
      guests.ready(high, gpu);
    }
    assertThat(both.slot(0).gateOpen()).isFalse();
    assertThat(both.slot(1).gateOpen()).isTrue();
  }

  @Test
  void anInterruptTakesWorkOffOneGpuOnly() throws Exception {
    Guest low = guests.come(0, 0, 1);
    int atFirst = low.gpu(1).interruptOrderSeq();
    Guest middle = guests.come(5, 0);
    Guest high = guests.come(10, 0, 1);
    List.of(low, middle, high).forEach(guests::obey);
    for (int gpu : List.of(0, 1)) {
      low.slot(gpu).setCounts(8, 8, 0, 50_000_000);
      guests.ready(low, gpu);
    }
    guests.ready(middle, 0);
    until(() -> low.gpu(0).interruptOrder() == Interrupt.HERE);
    guests.answerInterrupt(low, 0);
    assertThat(low.slot(0).gateOpen()).isFalse();
    assertThat(low.slot(1).gateOpen()).isTrue();
    guests.idle(middle, 0);
    until(() -> low.gpu(0).interruptOrder() == Interrupt.NONE);
    assertThat(low.gpu(1).interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(low.gpu(1).interruptOrderSeq()).isEqualTo(atFirst);
  }
}
