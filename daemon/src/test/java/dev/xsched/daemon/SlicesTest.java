package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Gpu;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs that offer time slices are told, and which gates stay open. */
class SlicesTest {
  private static final String GPU = "gpu:0";

  private final PacketSocket.Peer somebody;
  private final Dispatcher dispatcher;

  /** A program with one queue on a GPU. */
  private record Guest(long id, Block block) {
    Slot slot() {
      return block.slot(0);
    }

    Gpu gpu() {
      return block.gpu(0);
    }
  }

  SlicesTest(@TempDir Path folder) throws IOException {
    int uid = ControlDirectory.ownUid();
    somebody = new PacketSocket.Peer(0, uid, uid);
    SavedHints none = SavedHints.read(folder.resolve("state.json"));
    dispatcher = new Dispatcher(Policies.named("HPF"), uid, Limits.NONE, none);
  }

  @AfterEach
  void close() {
    dispatcher.close();
  }

  @Test
  void whoIsAloneIsLeftToTheDriver() throws Exception {
    Guest alone = program(0, "");
    ready(alone);
    assertThat(alone.gpu().sliceOrder()).isZero();
  }

  @Test
  void theHighRankGetsASecondAndTheLowOneMicrosecond() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    assertThat(high.gpu().sliceOrder()).isEqualTo(1_000_000);
    assertThat(low.gpu().sliceOrder()).isEqualTo(1);
    dispatcher.left(high.id());
    assertThat(low.gpu().sliceOrder()).isZero();
  }

  @Test
  void gatesDoItUntilSlicesAreInForce() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    ready(low);
    ready(high);
    assertThat(low.slot().gateOpen()).isFalse();
    obey(low);
    assertThat(low.slot().gateOpen()).isFalse();
    obey(high);
    assertThat(low.slot().gateOpen()).isTrue();
    assertThat(low.slot().others()).isZero();
    assertThat(high.slot().ceiling()).isEqualTo(Slot.NO_CEILING);
    idle(high);
    ready(high);
    assertThat(low.slot().gateOpen()).isTrue();
  }

  @Test
  void gatesDoItAgainWhenAnotherProgramComesThatOffersNothing() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    inForce(low, high);
    Guest third = program(0, "the GPU is divided (MIG)");
    assertThat(low.gpu().sliceOrder()).isEqualTo(1); // It has no work yet.
    ready(third);
    assertThat(low.gpu().sliceOrder()).isZero();
    assertThat(high.gpu().sliceOrder()).isZero();
    assertThat(low.slot().gateOpen()).isFalse();
    assertThat(low.slot().others()).isEqualTo(Slot.OTHERS_ABOVE);
  }

  @Test
  void ranksBetweenAreHeldBackByGates() throws Exception {
    Guest low = program(0, "");
    Guest middle = program(5, "");
    Guest high = program(10, "");
    ready(low);
    ready(middle);
    ready(high);
    obey(low);
    obey(middle);
    obey(high);
    assertThat(middle.slot().gateOpen()).isTrue();
    assertThat(low.slot().gateOpen()).isFalse();
    assertThat(low.slot().others()).isEqualTo(Slot.OTHERS_ABOVE);
    assertThat(middle.slot().others()).isEqualTo(Slot.OTHERS_BELOW);
    idle(middle);
    assertThat(low.slot().gateOpen()).isTrue();
  }

  @Test
  void aLevelThatWasChosenIsObeyed() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    dispatcher.change(
        () -> {
          dispatcher.programs().forEach(p -> p.queues().forEach(q -> q.setLevel(1)));
          return true;
        });
    assertThat(low.gpu().sliceOrder()).isZero();
    assertThat(high.gpu().sliceOrder()).isZero();
  }

  @Test
  void aPolicyWithoutRanksIsCarriedOutByGates() throws Exception {
    Guest low = program(0, "");
    program(10, "");
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(Policies.named("CFS"));
          return true;
        });
    assertThat(low.gpu().sliceOrder()).isZero();
  }

  @Test
  void theDaemonEndsAndLeavesSlicesToTheDriver() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    dispatcher.close();
    assertThat(low.gpu().sliceOrder()).isZero();
    assertThat(high.gpu().sliceOrder()).isZero();
  }

  @Test
  void whoWaitsAfterEachTinyKernelHasOthersInterruptedWhileItHasWork() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    inForce(low, high);
    Thread.sleep(150); // It has been ready for longer than it may be held.
    waitOften(high);
    assertThat(high.slot().others()).isEqualTo(Slot.OTHERS_STOPPED);
    assertThat(high.slot().gateOpen()).isFalse();
    assertThat(low.slot().gateOpen()).isTrue();
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.HERE);
    low.gpu().setInterrupted(true, low.gpu().interruptOrderSeq());
    dispatcher.interrupts().heard(queueOf(low));
    until(() -> high.slot().gateOpen());
    idle(high);
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.NONE);
  }

  @Test
  void nobodyWaitsForLongForOthersToBeInterrupted() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    inForce(low, high);
    waitOften(high);
    until(
        () -> {
          tell(high);
          return high.slot().gateOpen();
        });
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.NONE);
  }

  private void waitOften(Guest guest) {
    guest.slot().setCounts(1_000_000, 1_000_000, 1_000_000, 5_000);
    guest.slot().setSyncs(1_000_000);
    tell(guest);
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
    ready(low);
    ready(high);
    obey(low);
    obey(high);
    assertThat(low.slot().gateOpen()).isTrue();
  }

  @Test
  void equalOnesTakeTurnsBelowTheHighest() throws Exception {
    Guest one = program(0, "");
    Guest other = program(0, "");
    Guest high = program(10, "");
    for (Guest guest : List.of(one, other, high)) {
      obey(guest);
    }
    ready(one);
    ready(other);
    Gpu.Interrupt none = Gpu.Interrupt.NONE;
    until(
        () -> {
          tell(one);
          return one.gpu().interruptOrder() != none && other.gpu().interruptOrder() == none;
        });
    until(
        () -> {
          tell(one);
          return one.gpu().interruptOrder() == none && other.gpu().interruptOrder() != none;
        });
    idle(one);
    until(() -> other.gpu().interruptOrder() == none);
  }

  @Test
  void workThatOutlastsAnInterruptIsTakenOffTheGpuWithTheGate() throws Exception {
    Guest low = program(0, "");
    Guest middle = program(5, "");
    Guest high = program(10, "");
    for (Guest guest : List.of(low, middle, high)) {
      obey(guest);
    }
    ready(low);
    low.slot().setCounts(8, 8, 0, 50_000_000);
    ready(middle);
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.HERE);
    idle(middle);
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.NONE);
    low.slot().setCounts(8, 8, 0, 50_000);
    ready(middle);
    assertThat(low.slot().gateOpen()).isFalse();
    assertThat(low.gpu().interruptOrder()).isEqualTo(Gpu.Interrupt.NONE);
  }

  @Test
  void whoAskedForLevelThreeIsInterruptedWhateverIsInFlight() throws Exception {
    Guest low = program(0, "");
    low.slot().use("all streams", GPU, 4, false);
    Guest middle = program(5, "");
    Guest high = program(10, "");
    for (Guest guest : List.of(low, middle, high)) {
      obey(guest);
    }
    ready(low);
    low.slot().setCounts(1, 1, 0, 50);
    ready(middle);
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.HERE);
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    boolean held = holds.getAsBoolean(); // It may not last.
    for (int i = 0; i < 1_000 && !held; i++) {
      Thread.sleep(10);
      held = holds.getAsBoolean();
    }
    assertThat(held).isTrue();
  }

  private Guest program(int priority, String reason) throws Exception {
    Block block = Block.create();
    block.gpu(0).show(GPU, Gpu.SLICES, reason);
    block.slot(0).use("all streams", GPU, reason.isEmpty() ? 5 : 1, false);
    block.slot(0).asks().ask(Hint.PRIORITY, priority);
    return new Guest(dispatcher.admit(somebody, "guest", block).program(), block);
  }

  private void obey(Guest guest) {
    guest.gpu().setSliceMicros(guest.gpu().sliceOrder());
    tell(guest);
  }

  private void ready(Guest guest) {
    guest.slot().setReadySince(System.nanoTime());
    tell(guest);
  }

  private void idle(Guest guest) {
    guest.slot().setReadySince(0);
    tell(guest);
  }

  private void tell(Guest guest) {
    guest.block().setChanged(0);
    dispatcher.tick(false);
  }
}
