package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.nvidia.ChannelSwitch;
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

/** A dispatcher, and programs on its GPUs that do nothing but what the test has them do. */
final class GpuGuests implements AutoCloseable {
  final Dispatcher dispatcher;
  private final PacketSocket.Peer somebody;
  private final Users users = Users.read(Path.of("/etc/passwd"));

  /** A program with a queue on each of some GPUs; its places are counted from 0. */
  record Guest(long id, Block block, List<Integer> gpus) {
    Slot slot(int place) {
      return block.slot(place);
    }

    Gpu gpu(int place) {
      return block.gpu(place);
    }
  }

  /** Where only the programs can take their work off a GPU. */
  GpuGuests(Path folder, String policy) throws IOException {
    this(
        folder,
        policy,
        (_, _) -> {
          throw new IOException("there is no driver");
        });
  }

  GpuGuests(Path folder, String policy, ChannelSwitch.Opener opener) throws IOException {
    int uid = ControlDirectory.ownUid();
    somebody = new PacketSocket.Peer(0, uid, uid);
    SavedHints none = SavedHints.read(folder.resolve("state.json"));
    dispatcher = new Dispatcher(Policies.named(policy), uid, Limits.NONE, none, opener);
  }

  @Override
  public void close() {
    dispatcher.close();
  }

  /** With one queue, on a GPU where it offers that, or nothing for a reason. */
  Guest come(int priority, int offers, String reason) throws Exception {
    return come(somebody, priority, offers, reason);
  }

  /** The same, and a process of that pid is the program. */
  Guest comeAs(long pid, int priority, int offers, String reason) throws Exception {
    int uid = somebody.uid();
    return come(new PacketSocket.Peer((int) pid, uid, uid), priority, offers, reason);
  }

  private Guest come(PacketSocket.Peer peer, int priority, int offers, String reason)
      throws Exception {
    Block block = Block.create();
    block.gpu(0).show("gpu:0", offers, reason);
    block.slot(0).use("all streams", "gpu:0", reason.isEmpty() ? 5 : 1, false);
    block.slot(0).asks().ask(Hint.PRIORITY, priority);
    return new Guest(dispatcher.admit(peer, "guest", block).program(), block, List.of(0));
  }

  Guest come(int priority, Integer... gpus) throws Exception {
    Block block = Block.create();
    for (int i = 0; i < gpus.length; i++) {
      block.gpu(i).show("gpu:" + gpus[i], Gpu.SLICES, "");
      block.slot(i).use("all streams", "gpu:" + gpus[i], 5, false);
      block.slot(i).asks().ask(Hint.PRIORITY, priority);
    }
    return new Guest(dispatcher.admit(somebody, "guest", block).program(), block, List.of(gpus));
  }

  void leave(Guest guest) {
    dispatcher.left(guest.id());
  }

  /** Sets the slices that are ordered, on all of its GPUs. */
  void obey(Guest guest) {
    for (int i = 0; i < guest.gpus().size(); i++) {
      guest.gpu(i).setSliceMicros(guest.gpu(i).sliceOrder());
      tell(guest, i);
    }
  }

  void ready(Guest guest, int place) {
    guest.slot(place).setReadySince(System.nanoTime());
    tell(guest, place);
  }

  void idle(Guest guest, int place) {
    guest.slot(place).setReadySince(0);
    tell(guest, place);
  }

  void tell(Guest guest, int place) {
    guest.block().setChanged(place);
    dispatcher.tick(false);
  }

  /** Answers the order that stands for a GPU, as its program would. */
  void answerInterrupt(Guest guest, int place) {
    boolean off = guest.gpu(place).interruptOrder() != Gpu.Interrupt.NONE;
    guest.gpu(place).setInterrupted(off, guest.gpu(place).interruptOrderSeq());
    tell(guest, place);
  }

  DaemonState state() {
    return dispatcher.look(new StateView(dispatcher, users, "test", 0, "")::state);
  }

  /** What people see of its first queue. */
  QueueState shown(Guest guest) {
    return state().programs().stream()
        .filter(program -> program.id() == guest.id())
        .findFirst()
        .orElseThrow()
        .queues()
        .getFirst();
  }

  static void until(BooleanSupplier holds) throws InterruptedException {
    boolean held = holds.getAsBoolean(); // It may not last.
    for (int i = 0; i < 10_000 && !held; i++) {
      Thread.sleep(1); // Who waits for others to be interrupted does so for 0.1 s at most.
      held = holds.getAsBoolean();
    }
    assertThat(held).isTrue();
  }
}
