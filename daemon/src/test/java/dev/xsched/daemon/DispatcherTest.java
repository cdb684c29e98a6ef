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
}
