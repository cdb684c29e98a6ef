package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Gpu;
import dev.xsched.link.Gpu.Interrupt;
import dev.xsched.link.PacketSocket;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people see of an interrupt, and whose orders stand. */
class InterruptsShownTest {
  private static final String DEVICE = "gpu:0";
  private static final long TOOK_NANOS = 600_000;

  private final PacketSocket.Peer somebody;
  private final Dispatcher dispatcher;
  private final Users users = Users.read(Path.of("/etc/passwd"));

  InterruptsShownTest(@TempDir Path folder) throws IOException {
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
  void anInterruptIsShownCountedAndDrawn() throws Exception {
    admit(block());
    assertThat(shown().interrupted()).isEqualTo("none");
    carryOut(Interrupt.BY_DAEMON);
    assertThat(shown().interrupted()).isEqualTo("by_daemon");
    assertThat(count(Statistic.INTERRUPTS)).isEqualTo(1);
    assertThat(interrupts()).extracting(Run::endNanos).containsExactly(Long.MAX_VALUE);
    carryOut(Interrupt.NONE);
    assertThat(shown().interrupted()).isEqualTo("none");
    assertThat(count(Statistic.RESTORES)).isEqualTo(1);
    assertThat(count(Statistic.INTERRUPT_NANOS)).isEqualTo(2 * TOOK_NANOS);
    assertThat(interrupts()).extracting(Run::endNanos).doesNotContain(Long.MAX_VALUE).hasSize(1);
  }

  @Test
  void ordersOfADaemonBeforeThisOneAreTakenBack() throws Exception {
    Block block = block();
    block.gpu(0).orderInterrupt(Interrupt.BY_DAEMON);
    block.gpu(0).orderSlice(1);
    admit(block);
    assertThat(block.gpu(0).interruptOrder()).isEqualTo(Interrupt.NONE);
    assertThat(block.gpu(0).sliceOrder()).isZero();
  }

  @Test
  void aSecondQueueOnTheGpuLeavesTheOrdersAlone() throws Exception {
    Block block = block();
    admit(block);
    block.gpu(0).orderInterrupt(Interrupt.HERE);
    block.slot(1).use("more streams", DEVICE, 5, false);
    block.setChanged(1);
    dispatcher.tick(false);
    assertThat(block.gpu(0).interruptOrder()).isEqualTo(Interrupt.HERE);
  }

  private static Block block() throws IOException {
    Block block = Block.create();
    block.gpu(0).show(DEVICE, Gpu.SLICES, "");
    block.slot(0).use("all streams", DEVICE, 5, false);
    return block;
  }

  private void admit(Block block) throws Exception {
    dispatcher.admit(somebody, "guest", block);
  }

  private void carryOut(Interrupt how) {
    dispatcher.look(
        () -> {
          ManagedQueue queue = dispatcher.programs().iterator().next().queues().getFirst();
          queue.interruption = how;
          dispatcher
              .books()
              .interrupted(queue, System.nanoTime(), how != Interrupt.NONE, TOOK_NANOS);
          return true;
        });
  }

  private QueueState shown() {
    StateView view = new StateView(dispatcher, users, "test", 0, "");
    return dispatcher.look(view::state).programs().getFirst().queues().getFirst();
  }

  private long count(Statistic statistic) {
    return dispatcher.look(() -> dispatcher.books().count(statistic));
  }

  private List<Run> interrupts() {
    return dispatcher.look(() -> dispatcher.runsAfter(0)).stream()
        .filter(Run::interrupted)
        .toList();
  }
}
