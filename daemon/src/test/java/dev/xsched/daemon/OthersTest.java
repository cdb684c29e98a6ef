package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What queues are told of those beside them. */
class OthersTest {
  private static final String GPU = "gpu";
  private static final int NOBODY = 0;
  private static final int ABOVE = Slot.OTHERS_ABOVE;
  private static final int BELOW = Slot.OTHERS_BELOW;
  private static final int BOTH = ABOVE | BELOW;

  private final PacketSocket.Peer somebody;
  private final Dispatcher dispatcher;

  /** A program with one queue. */
  private record Guest(long id, Block block) {
    int others() {
      return block.slot(0).others();
    }
  }

  OthersTest(@TempDir Path folder) throws IOException {
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
  void whoIsAloneHearsOfNobody() throws Exception {
    Guest alone = program(GPU, 0);
    program("npu", 10);
    assertThat(alone.others()).isEqualTo(NOBODY);
    policy("UP");
    assertThat(alone.others()).isEqualTo(NOBODY);
  }

  @Test
  void byRankTheOthersAreAboveOrBelowWhetherReadyOrNot() throws Exception {
    Guest middle = program(GPU, 5);
    Guest low = program(GPU, 0);
    assertThat(middle.others()).isEqualTo(BELOW);
    assertThat(low.others()).isEqualTo(ABOVE);
    Guest high = program(GPU, 10);
    assertThat(middle.others()).isEqualTo(BOTH);
    assertThat(high.others()).isEqualTo(BELOW);
    leave(low);
    assertThat(middle.others()).isEqualTo(ABOVE);
    leave(high);
    assertThat(middle.others()).isEqualTo(NOBODY);
  }

  @Test
  void equalsDoNotDependOnEachOther() throws Exception {
    Guest one = program(GPU, 3);
    Guest two = program(GPU, 3);
    assertThat(one.others()).isEqualTo(NOBODY);
    ask(two, Hint.PRIORITY, 4);
    assertThat(one.others()).isEqualTo(ABOVE);
    assertThat(two.others()).isEqualTo(BELOW);
  }

  @Test
  void whoMayNotExecuteIsInNobodysWay() throws Exception {
    Guest one = program(GPU, 3);
    Guest barred = program(GPU, Hint.NO_EXECUTE);
    assertThat(one.others()).isEqualTo(NOBODY);
    ask(barred, Hint.PRIORITY, 2);
    assertThat(one.others()).isEqualTo(BELOW);
  }

  @Test
  void aPolicyForTheWholeMachineCountsAllDevices() throws Exception {
    Guest gpu = program(GPU, 0);
    Guest npu = program("npu", 10);
    policy("HHPF");
    assertThat(gpu.others()).isEqualTo(ABOVE);
    assertThat(npu.others()).isEqualTo(BELOW);
    policy("HPF");
    assertThat(gpu.others()).isEqualTo(NOBODY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP", "KEDF", "CFS", "MLFQ"})
  void withoutRanksAnybodyMayComeFirst(String policy) throws Exception {
    Guest one = program(GPU, 0);
    Guest two = program(GPU, 0);
    policy(policy);
    assertThat(one.others()).isEqualTo(BOTH);
    assertThat(two.others()).isEqualTo(BOTH);
    leave(two);
    assertThat(one.others()).isEqualTo(NOBODY);
  }

  @Test
  void whereRanksChangeByThemselvesAnybodyMayComeFirst() throws Exception {
    Guest one = program(GPU, 0);
    Guest two = program(GPU, 0);
    policy("LAX");
    assertThat(one.others()).as("no laxity is given").isEqualTo(NOBODY);
    ask(two, Hint.LAXITY, 20_000);
    assertThat(one.others()).isEqualTo(BOTH);
    assertThat(two.others()).isEqualTo(BOTH);
  }

  @Test
  void nothingIsLeftOfItWhenTheDaemonEnds() throws Exception {
    Guest one = program(GPU, 0);
    program(GPU, 10);
    assertThat(one.others()).isEqualTo(ABOVE);
    dispatcher.close();
    assertThat(one.others()).isEqualTo(NOBODY);
  }

  private Guest program(String device, long priority) throws Exception {
    Block block = Block.create();
    Slot slot = block.slot(0);
    slot.use("queue", device, 1, false);
    slot.asks().ask(Hint.PRIORITY, priority);
    return new Guest(dispatcher.admit(somebody, "program", block).program(), block);
  }

  private void ask(Guest guest, Hint hint, long value) {
    guest.block().slot(0).asks().ask(hint, value);
    guest.block().setChanged(0);
    dispatcher.tick(false);
  }

  private void policy(String name) {
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(Policies.named(name));
          return true;
        });
  }

  private void leave(Guest guest) {
    dispatcher.left(guest.id());
  }
}
