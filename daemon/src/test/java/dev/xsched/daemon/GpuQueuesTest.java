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

/** What programs are told that offer interrupts and priorities of their queues, but no slices. */
class GpuQueuesTest {
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

  GpuQueuesTest(@TempDir Path folder) throws IOException {
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
  void workThatOutlastsAnInterruptIsTakenOffTheGpuByTheProgram() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    ready(low);
    low.slot().setCounts(8, 8, 0, 50_000_000);
    ready(high);
    assertThat(low.slot().gateOpen()).isFalse();
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.HERE);
    assertThat(high.gpu().interruptOrder()).isEqualTo(Gpu.Interrupt.NONE);
    assertThat(high.slot().gateOpen()).isTrue();
    idle(high);
    assertThat(low.slot().gateOpen()).isTrue();
    until(() -> low.gpu().interruptOrder() == Gpu.Interrupt.NONE);
  }

  @Test
  void priorityFollowsTheRankWhoeverHasWork() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    assertThat(low.gpu().priorityOrder()).isEqualTo(1);
    assertThat(high.gpu().priorityOrder()).isEqualTo(Gpu.HIGHEST_PRIORITY);
    ready(low);
    ready(high);
    assertThat(low.gpu().priorityOrder()).isEqualTo(1);
    assertThat(List.of(low.gpu().sliceOrder(), high.gpu().sliceOrder())).containsOnly(0L);
    dispatcher.left(high.id());
    assertThat(low.gpu().priorityOrder()).isZero();
  }

  @Test
  void whoOffersNothingLeavesAllPrioritiesAsTheyAre() throws Exception {
    Guest low = program(0, "");
    Guest high = program(10, "");
    Guest third = program(0, "CWSR is off; load amdgpu with cwsr_enable=1");
    ready(third);
    assertThat(low.gpu().priorityOrder()).isZero();
    assertThat(high.gpu().priorityOrder()).isZero();
  }

  @Test
  void theReasonIsShown() throws Exception {
    Guest low = program(0, "");
    Guest other = program(5, "CWSR is off; load amdgpu with cwsr_enable=1");
    assertThat(reason(low)).contains("is taken off the GPU");
    assertThat(reason(other)).isEqualTo("CWSR is off; load amdgpu with cwsr_enable=1");
    ready(other);
    assertThat(reason(low)).contains("is taken off the GPU");
  }

  private String reason(Guest guest) {
    return dispatcher.look(
        () ->
            dispatcher.programs().stream()
                .filter(p -> p.id() == guest.id())
                .findFirst()
                .orElseThrow()
                .queues()
                .getFirst()
                .reason());
  }

  private static void until(BooleanSupplier holds) throws InterruptedException {
    for (int i = 0; i < 1_000 && !holds.getAsBoolean(); i++) {
      Thread.sleep(10);
    }
    assertThat(holds.getAsBoolean()).isTrue();
  }

  private Guest program(int priority, String reason) throws Exception {
    Block block = Block.create();
    block.gpu(0).show(GPU, Gpu.QUEUES, reason);
    block.slot(0).use("all streams", GPU, reason.isEmpty() ? 5 : 1, false);
    block.slot(0).asks().ask(Hint.PRIORITY, priority);
    return new Guest(dispatcher.admit(somebody, "guest", block).program(), block);
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
