package dev.xsched.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Everything that the daemon reads from a block may be noise. {@code -Dxsched.fuzz=N} sets how many
 * inputs are tried, {@code -Dxsched.seed=S} repeats a failure.
 */
class BlockFuzzTest {
  private static final int INPUTS = Integer.getInteger("xsched.fuzz", 20_000);
  private static final long SEED = Long.getLong("xsched.seed", System.nanoTime());

  private final Random random = new Random(SEED);

  @Test
  void noiseInABlockReadsAsSomethingHarmless() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      SharedMemory theirs =
          SharedMemory.create("fuzz", Layouts.BLOCK.byteSize(), SharedMemory.Life.UNTIL_CLOSED);
      MemorySegment memory = Kernel.mmap(theirs.fd(), Layouts.BLOCK.byteSize(), arena);
      FuzzMemory.writeHeader(memory);
      Block block = Block.adopt(duplicate(theirs.fd()));
      MemorySegment header = memory.asSlice(0, Layouts.offset(Layouts.BLOCK, "slot"));
      for (int i = 0; i < INPUTS; i++) {
        int slot = random.nextInt(Block.CAPACITY);
        long size = Layouts.SLOT.byteSize();
        MemorySegment noisy = memory.asSlice(header.byteSize() + slot * size, size);
        FuzzMemory.fill(random, noisy);
        FuzzMemory.change(random, noisy, random.nextInt(32));
        FuzzMemory.change(random, header, random.nextInt(8));
        read(block, slot);
        readGpu(block, memory);
      }
      block.close();
      theirs.close();
    } catch (Throwable e) {
      throw new AssertionError("repeat it with -Dxsched.seed=" + SEED, e);
    }
  }

  @Test
  void noiseInThePlaceOfAMessageIsNoMessage() {
    FuzzInput input = new FuzzInput(random);
    int understood = 0;
    for (int i = 0; i < INPUTS; i++) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment packet = arena.allocate(Layouts.WELCOME);
        MemorySegment noise = input.packet(arena);
        int size = (int) Math.min(noise.byteSize(), packet.byteSize());
        MemorySegment.copy(noise, 0, packet, 0, size);
        if (random.nextBoolean()) {
          packet.set(ValueLayout.JAVA_INT, 0, Layouts.WELCOME_MAGIC);
        }
        Welcome welcome = Welcome.read(packet, random.nextBoolean() ? size : 256);
        checkText(welcome.message(), 232);
        understood++;
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("no daemon of ours");
      } catch (Throwable e) {
        throw new AssertionError("repeat it with -Dxsched.seed=" + SEED, e);
      }
    }
    assertThat(understood).isPositive();
  }

  private void read(Block block, int index) {
    Slot slot = block.slot(index);
    checkText(slot.name(), 48);
    checkText(slot.device(), 64);
    checkAsks(slot.asks());
    checkAsks(block.asks());
    slot.used();
    slot.buffered();
    slot.generation();
    slot.levels();
    slot.readySince();
    slot.changes();
    slot.submitted();
    slot.launched();
    slot.completed();
    slot.commandNanos();
    slot.busyNanos();
    slot.gateWaits();
    slot.gateWaitNanos();
    slot.stopped();
    slot.rank();
    slot.ceiling();
    slot.level();
    slot.windowNanos();
    slot.windowCommands();
    slot.windowBatch();
    slot.setGate(random.nextBoolean());
    slot.setRank(random.nextInt(), random.nextInt(Board.CEILINGS));
    block.takeChanged(random.nextInt(Block.CHANGED_WORDS));
    block.heartbeat();
    block.scheduled();
    block.ignoresCeilings();
    block.raiseOrders();
  }

  private void readGpu(Block block, MemorySegment memory) {
    int index = random.nextInt(Layouts.GPUS);
    long size = Layouts.GPU.byteSize();
    MemorySegment noisy = memory.asSlice(Layouts.offset(Layouts.BLOCK, "gpu") + index * size, size);
    FuzzMemory.fill(random, noisy);
    FuzzMemory.change(random, noisy, random.nextInt(32));
    Gpu gpu = block.gpu(index);
    checkText(gpu.device(), 64);
    checkText(gpu.reason(), 96);
    Gpu.Learned learned = gpu.learned();
    check(learned == null || learned.channels().size() <= Layouts.GPU_CHANNELS, "channels");
    check(learned == null || learned.changes() % 2 == 0, "what is being written");
    gpu.offersInterrupts();
    gpu.interrupted();
    gpu.interruptSeq();
    gpu.interruptOrder();
    check(gpu.begun().length <= Layouts.BEGUN, "requests");
    gpu.earlyTurns();
    gpu.earlyTurnsInVain();
    gpu.earlyOrder();
    gpu.orderInterrupt(Gpu.Interrupt.HERE);
    block.forgetGpuOrders();
  }

  private static void checkAsks(Asks asks) {
    asks.sequence();
    for (Hint.Scope scope : Hint.Scope.values()) {
      Asks.Answer answer = asks.over(Hints.DEFAULT, scope, Hints.Source.APPLICATION);
      check(answer.nonsense() >= 0 && answer.nonsense() <= Hint.values().length + 1, "nonsense");
      for (Hint hint : Hint.values()) {
        hint.check(answer.hints().get(hint));
        if (hint.scope() != scope) {
          check(answer.hints().source(hint) == Hints.Source.DEFAULT, "a hint of another scope");
        }
      }
    }
  }

  private static void checkText(String text, int room) {
    check(text.length() <= room, text);
    boolean clean =
        text.codePoints()
            .noneMatch(
                c ->
                    Character.isISOControl(c)
                        || Character.getType(c) == Character.FORMAT
                        || c == 0xFFFD
                        || c == 0x2028
                        || c == 0x2029);
    check(clean, text);
  }

  /** A million times, which is too often for AssertJ. */
  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static int duplicate(int fd) throws IOException {
    int duplicateFd = 0;
    return Kernel.fcntl(fd, duplicateFd, 0);
  }
}
