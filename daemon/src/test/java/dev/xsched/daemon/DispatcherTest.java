package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar.Admission;
import dev.xsched.link.Slot;
import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import dev.xsched.policy.Snapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DispatcherTest {
  private final int uid;
  private final PacketSocket.Peer stranger;
  private final Dispatcher dispatcher;

  DispatcherTest(@TempDir Path folder) throws IOException {
    uid = ControlDirectory.ownUid();
    stranger = new PacketSocket.Peer(0, uid, uid);
    SavedHints none = SavedHints.read(folder.resolve("state.json"));
    dispatcher = new Dispatcher(Policies.named("HPF"), uid, Limits.NONE, none);
  }

  @AfterEach
  void close() {
    dispatcher.close();
  }

  @Test
  void whoWritesNonsenseIsLeftAloneAndTheOthersAreLookedAfter() throws Exception {
    Block wild = Block.create();
    Slot slot = wild.slot(0);
    slot.use("wild", "device", 1, false);
    dispatcher.admit(stranger, "wild", wild);
    Block tame = Block.create();
    tame.slot(0).use("tame", "device", 1, false);
    dispatcher.admit(stranger, "tame", tame);
    for (int i = 0; i < 1_100; i++) {
      slot.asks().ask(Hint.PRIORITY, 9_999);
      slot.setReadySince(i % 2 == 0 ? System.nanoTime() : 0);
      wild.setChanged(0);
      dispatcher.tick(false);
    }
    assertThat(wild.scheduled()).isFalse();
    assertThat(slot.gateOpen()).isTrue();
    assertThat(slot.ceiling()).isEqualTo(Slot.NO_CEILING);
    tame.slot(0).setReadySince(System.nanoTime());
    tame.setChanged(0);
    dispatcher.tick(false);
    assertThat(dispatcher.look(() -> dispatcher.scheduler().queue(2).ready())).isTrue();
  }

  @Test
  void whoIsThrownOutForTheProgramsOwnAsksGetsNoQueue() throws Exception {
    Block wild = Block.create();
    for (int i = 0; i < 1_100; i++) {
      wild.asks().ask(Hint.PRIORITY, 9_999);
      wild.slot(0).use("wild", "device", 1, false);
      wild.slot(0).setReadySince(System.nanoTime());
      if (i == 0) {
        dispatcher.admit(stranger, "wild", wild);
      }
      wild.setChanged(0);
      dispatcher.tick(false);
    }
    assertThat(wild.scheduled()).isFalse();
    assertThat(dispatcher.look(() -> dispatcher.programs().iterator().next().queues())).isEmpty();
  }

  @Test
  void whoCouldNotBeTakenInLeavesNothingBehind() throws Exception {
    policy(new OutOfMemory());
    Block first = Block.create();
    first.slot(0).use("first", "device", 1, false);
    assertThatThrownBy(() -> dispatcher.admit(stranger, "first", first))
        .isInstanceOf(OutOfMemoryError.class);
    policy(Policies.named("HPF"));
    assertThat(dispatcher.look(dispatcher::programs)).isEmpty();
    assertThat(dispatcher.look(() -> dispatcher.devices().state(_ -> null))).isEmpty();
    assertThat(first.scheduled()).isFalse();
    assertThat(dispatcher.admit(stranger, "next", Block.create()).boardIndex()).isZero();
  }

  @Test
  void queuesBeyondThoseOfAUserRunOnUnscheduledUntilOthersEnd() throws Exception {
    List<Admission> admissions = new ArrayList<>();
    Block last = Block.create();
    for (int i = 0; i <= UserBoard.MOST_QUEUES / Block.CAPACITY; i++) {
      last = Block.create();
      for (int slot = 0; slot < Block.CAPACITY; slot++) {
        last.slot(slot).use("queue", "device", 1, false);
      }
      admissions.add(dispatcher.admit(stranger, "program", last));
    }
    Slot slot = last.slot(1);
    slot.setGate(false); // As by another daemon.
    slot.setReadySince(System.nanoTime());
    last.setChanged(1);
    dispatcher.tick(false);
    assertThat(queues()).isEqualTo(UserBoard.MOST_QUEUES);
    assertThat(last.scheduled()).isTrue();
    assertThat(slot.gateOpen()).isTrue();
    assertThat(dispatcher.look(() -> dispatcher.books().count(Statistic.FAULTS))).isZero();
    dispatcher.left(admissions.getFirst().program());
    last.setChanged(1);
    dispatcher.tick(false);
    assertThat(queues()).isEqualTo(UserBoard.MOST_QUEUES - Block.CAPACITY + 1);
  }

  @Test
  void nobodyPaysForWhatItLaunchedBeforeTheDaemonCame() throws Exception {
    Block block = Block.create();
    block.slot(0).use("queue", "device", 1, false);
    block.slot(0).setCounts(14, 14, 10, 1_000_000);
    long before = System.nanoTime();
    dispatcher.admit(stranger, "job", block);
    assertThat(leavesIfStopped(before)).isZero();
    assertThat(leavesIfStopped(before + 3_600_000_000_000L)).isEqualTo(4);
  }

  private long leavesIfStopped(long nowNanos) {
    return dispatcher
        .look(
            () -> dispatcher.programs().iterator().next().queues().getFirst().work(true, nowNanos))
        .leaving();
  }

  private int queues() {
    return dispatcher.look(
        () -> dispatcher.programs().stream().mapToInt(p -> p.queues().size()).sum());
  }

  @ParameterizedTest
  @ValueSource(longs = {-3_599_900, -7_200_000, 60_000})
  void sinceWhenAQueueIsReadyDoesNotChangeWhileItStaysReady(long millisFromNow) throws Exception {
    Block block = Block.create();
    block.slot(0).use("queue", "device", 1, false);
    block.slot(0).setReadySince(System.nanoTime() + millisFromNow * 1_000_000);
    dispatcher.admit(stranger, "job", block);
    long since = readySince();
    Thread.sleep(150);
    block.setChanged(0);
    dispatcher.tick(false);
    assertThat(readySince()).isEqualTo(since);
  }

  private long readySince() {
    return dispatcher.look(() -> dispatcher.scheduler().queue(1).readySinceNanos());
  }

  private void policy(Policy policy) {
    dispatcher.change(
        () -> {
          dispatcher.scheduler().setPolicy(policy);
          return true;
        });
  }

  /** What no policy can be blamed for. */
  private static final class OutOfMemory implements Policy {
    @Override
    public String name() {
      return "OOM";
    }

    @Override
    public String summary() {
      return "for tests";
    }

    @Override
    public Decision decide(Snapshot snapshot) {
      if (snapshot.queues().isEmpty()) {
        return Decision.builder().build();
      }
      throw new OutOfMemoryError("as in a test");
    }
  }
}
