package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.link.Block;
import dev.xsched.link.Board;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar.Admission;
import dev.xsched.link.Slot;
import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose boards are believed: honest programs', whatever happens to them, and not wild ones'. */
class UserBoardTest {
  private static final int OFTEN = 150;
  private static final long SECOND = 1_000_000_000;

  private final PacketSocket.Peer somebody;
  private final Dispatcher dispatcher;

  UserBoardTest(@TempDir Path folder) throws IOException {
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
  void whoIsKilledWithWorkLeavesNoDistrust() throws Exception {
    Block witness = block(5);
    dispatcher.admit(somebody, "witness", witness);
    for (int i = 0; i < OFTEN; i++) {
      Block job = block(0);
      job.slot(0).setReadySince(System.nanoTime());
      dispatcher.left(dispatcher.admit(somebody, "job", job).program());
    }
    assertThat(witness.ignoresCeilings()).isFalse();
  }

  @Test
  void ranksThatChangeByThemselvesLeaveNoDistrust() throws Exception {
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(Policies.named("LAX"));
          return true;
        });
    Block job = block(0);
    job.slot(0).asks().ask(Hint.LAXITY, 1_000);
    job.slot(0).asks().ask(Hint.CRITICAL_PRIORITY, 10);
    dispatcher.admit(somebody, "job", job);
    for (int i = 0; i < OFTEN; i++) {
      job.slot(0).setReadySince(System.nanoTime() - 2_000_000);
      tell(job);
      job.slot(0).setReadySince(0);
      tell(job);
    }
    assertThat(job.ignoresCeilings()).isFalse();
  }

  @Test
  void aPriorityLoweredDuringWorkLeavesNoDistrust() throws Exception {
    Block job = block(0);
    job.slot(0).setReadySince(System.nanoTime());
    dispatcher.admit(somebody, "job", job);
    for (int i = 0; i < OFTEN; i++) {
      job.slot(0).asks().ask(Hint.PRIORITY, 5);
      tell(job);
      job.slot(0).asks().ask(Hint.PRIORITY, 0);
      tell(job);
    }
    assertThat(job.ignoresCeilings()).isFalse();
  }

  @Test
  void workOfOneUserLeavesNoDistrustOfAnother() throws Exception {
    UserBoard working = UserBoard.start(1, 1, () -> {});
    UserBoard idle = UserBoard.start(2, 2, () -> {});
    Interrupts interrupts =
        new Interrupts(
            (_, _) -> {
              throw new IOException("there is no driver");
            },
            System::nanoTime,
            (_, _, _) -> {},
            () -> {});
    Gatekeeper gatekeeper =
        new Gatekeeper(Map.of(), List.of(working, idle), new Books(), interrupts);
    Decision.Ranking high = Decision.builder().rank(new int[] {10}, false).build().ranking();
    for (int i = 0; i < 2 * OFTEN; i++) {
      gatekeeper.look(1);
      gatekeeper.finish(high, List.of(queue(i % 2 == 0)), 1);
    }
    assertThat(gatekeeper.lowered()).as("on both boards").isEqualTo(2 * OFTEN);
    assertThat(idle.distrusted()).isFalse();
    assertThat(working.distrusted()).isFalse();
    interrupts.close();
    working.close();
    idle.close();
  }

  @Test
  void aFewCeilingsWithoutAReasonAreForgotten() throws Exception {
    UserBoard board = UserBoard.start(1, 1, () -> {});
    for (int i = 0; i < 2 * OFTEN; i++) {
      board.judge(0, 10, i * SECOND / 5);
    }
    assertThat(board.distrusted()).isFalse();
    for (int i = 0; i < OFTEN; i++) {
      board.judge(0, 10, 100 * SECOND);
    }
    assertThat(board.distrusted()).isTrue();
    board.close();
  }

  @Test
  void theNextProgramsOfAUserAreBelievedOnceAllOthersHaveGone() throws Exception {
    Block wild = block(0);
    Admission admission = dispatcher.admit(somebody, "wild", wild);
    for (int i = 0; i < OFTEN; i++) {
      admission.board().raise(0, 1_000_000);
      tell(wild);
    }
    assertThat(wild.ignoresCeilings()).isTrue();
    Block beside = block(0);
    Admission second = dispatcher.admit(somebody, "beside", beside);
    assertThat(beside.ignoresCeilings()).isTrue();
    dispatcher.left(admission.program());
    dispatcher.left(second.program());
    Block next = block(0);
    dispatcher.admit(somebody, "next", next);
    assertThat(next.ignoresCeilings()).isFalse();
    assertThat(Board.rank(admission.board().ceiling(0))).isEqualTo(Board.NO_RANK);
  }

  @Test
  void anErrorWhileABellIsAnsweredDoesNotMakeItDeaf() throws Exception {
    AtomicInteger answers = new AtomicInteger();
    UserBoard board =
        UserBoard.start(
            1,
            1,
            () -> {
              answers.incrementAndGet();
              throw new StackOverflowError();
            });
    for (int i = 0; answers.get() < 3; i++) {
      assertThat(i).as("waited in vain").isLessThan(5_000);
      board.board().ring(0);
      Thread.sleep(1);
    }
    board.close();
  }

  private static Block block(long priority) throws IOException {
    Block block = Block.create();
    Slot slot = block.slot(0);
    slot.use("queue", "device", 1, false);
    slot.asks().ask(Hint.PRIORITY, priority);
    return block;
  }

  private void tell(Block block) {
    block.setChanged(0);
    dispatcher.tick(false);
  }

  private static QueueView queue(boolean ready) {
    ProcessView process = new ProcessView(1, 0, 100, 0);
    return new QueueView(1, 0, process, ready, 0, true, 0, 0, 0, 0, false, Hints.DEFAULT, null);
  }
}
