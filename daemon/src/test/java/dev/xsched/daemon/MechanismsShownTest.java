package dev.xsched.daemon;

import static dev.xsched.daemon.GpuGuests.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.xsched.daemon.GpuGuests.Guest;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Gpu;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of how queues are kept apart on a GPU, and why. */
class MechanismsShownTest {
  private static final String ORDERED =
      "time slices are ordered, and gates do it until they are in force";
  private static final String EQUAL = "nobody on the device is ranked higher than others";
  private static final String BY_SLICES = "the highest rank preempts by time slices";

  private final GpuGuests guests;

  MechanismsShownTest(@TempDir Path folder) throws IOException {
    guests = new GpuGuests(folder, "HPF");
  }

  @AfterEach
  void close() {
    guests.close();
  }

  @Test
  void theTimelineTellsEachChangeWithItsReason() throws Exception {
    Guest low = guests.come(0, 0);
    guests.ready(low, 0);
    Guest high = guests.come(10, 0);
    guests.obey(low);
    guests.obey(high);
    guests.leave(high);
    guests.obey(low);
    assertThat(changes(low))
        .extracting(
            MechanismChange::mechanism, MechanismChange::sliceMicros, MechanismChange::reason)
        .containsExactly(
            tuple("gate", 0L, EQUAL),
            tuple("gate", 0L, ORDERED),
            tuple("slices", 1L, BY_SLICES),
            tuple("gate", 1L, EQUAL),
            tuple("gate", 0L, EQUAL));
    assertThat(changes(low)).extracting(MechanismChange::atNanos).isSorted();
    assertThat(all()).extracting(MechanismChange::number).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void decisionsThatChangeNothingOfItAddNothing() throws Exception {
    Guest low = guests.come(0, 0);
    Guest high = guests.come(10, 0);
    guests.obey(low);
    guests.obey(high);
    int before = all().size();
    for (int i = 0; i < 10; i++) {
      guests.ready(high, 0);
      guests.idle(high, 0);
    }
    assertThat(all()).hasSize(before);
  }

  @Test
  void theStateTellsTheMechanismInForceAndCountsOrders() throws Exception {
    Guest low = guests.come(0, 0);
    guests.ready(low, 0);
    assertThat(shown(low).mechanism()).isEqualTo("gate");
    assertThat(shown(low).reason()).isEqualTo(EQUAL);
    assertThat(shown(low).sliceOrders()).isZero();
    Guest high = guests.come(10, 0);
    assertThat(shown(low).mechanism()).isEqualTo("gate");
    guests.obey(low);
    guests.obey(high);
    assertThat(shown(low).mechanism()).isEqualTo("slices");
    assertThat(shown(low).sliceMicros()).isEqualTo(1);
    assertThat(shown(low).sliceOrders()).isEqualTo(1);
    guests.leave(high);
    assertThat(shown(low).sliceOrders()).isEqualTo(2);
    assertThat(guests.state().statistics().get(Statistic.SLICE_ORDERS.label())).isEqualTo(3);
  }

  @Test
  void anInterruptTellsWhyAndIsCountedForItsQueue() throws Exception {
    Guest low = guests.come(0, 0);
    Guest middle = guests.come(5, 0);
    Guest high = guests.come(10, 0);
    List.of(low, middle, high).forEach(guests::obey);
    guests.ready(low, 0);
    low.slot(0).setCounts(8, 8, 0, 50_000_000);
    guests.ready(middle, 0);
    until(() -> low.gpu(0).interruptOrder() == Gpu.Interrupt.HERE);
    guests.answerInterrupt(low, 0);
    until(() -> shown(low).interrupts() == 1);
    assertThat(interrupts()).extracting(Run::reason).containsExactly("a higher rank has work");
    assertThat(shown(middle).interrupts()).isZero();
  }

  @Test
  void anInterruptThatHasEndedStillTellsWhy() throws Exception {
    Guest low = guests.come(0, 0);
    Guest equal = guests.come(0, 0);
    Guest high = guests.come(10, 0);
    List.of(low, equal, high).forEach(guests::obey);
    guests.ready(low, 0);
    guests.ready(equal, 0);
    until(
        () -> {
          guests.answerInterrupt(low, 0);
          return shown(low).interrupts() > 0;
        });
    guests.idle(equal, 0);
    until(
        () -> {
          guests.answerInterrupt(low, 0);
          return shown(low).interrupted().equals("none");
        });
    assertThat(interrupts())
        .extracting(Run::reason)
        .isNotEmpty()
        .containsOnly("programs of equal rank take turns");
  }

  private List<Run> interrupts() {
    return guests.dispatcher.look(() -> guests.dispatcher.runsAfter(0)).stream()
        .filter(Run::interrupted)
        .toList();
  }

  private List<MechanismChange> all() {
    return guests.dispatcher.look(() -> guests.dispatcher.changesAfter(0));
  }

  private List<MechanismChange> changes(Guest guest) {
    return all().stream().filter(change -> change.program() == guest.id()).toList();
  }

  private QueueState shown(Guest guest) {
    return guests.shown(guest);
  }
}
