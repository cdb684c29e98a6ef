package dev.xsched.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Strangers at the daemon's socket, and in between honest programs that must not suffer from them.
 * {@code -Dxsched.fuzz=N} sets how many strangers come, {@code -Dxsched.seed=S} repeats a failure.
 */
class RegistrarFuzzTest {
  private static final int STRANGERS = Integer.getInteger("xsched.fuzz", 20_000);
  private static final int WARM_UP = 500;
  private static final int HONEST_EVERY = 500;
  private static final long SEED = Long.getLong("xsched.seed", System.nanoTime());

  @TempDir Path folder = Path.of("");

  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void strangersCostTheDaemonNothing() throws Exception {
    ControlDirectory directory = new ControlDirectory(folder);
    ReadingHost host = new ReadingHost();
    Registrar registrar = Registrar.at(directory.socket(), host, System::nanoTime);
    Thread thread = Thread.ofPlatform().daemon().start(registrar::run);
    FuzzSender sender = new FuzzSender(directory.socket(), new Random(SEED));
    try {
      come(WARM_UP, sender, directory);
      settle("the warm-up's programs to leave", sender, host);
      long descriptors = descriptors();
      long mappings = mappings();
      long start = System.nanoTime();
      come(STRANGERS, sender, directory);
      settle("all programs to leave", sender, host);
      await("descriptors to be closed", () -> descriptors() <= descriptors);
      await("memory to be unmapped", () -> mappings() <= mappings);
      assertThat(thread.isAlive()).isTrue();
      assertThat(host.broken).hasValue(0);
      System.out.printf(
          "%,d strangers in %.1f s, seed %d: %,d taken in, %,d refused%n",
          STRANGERS, (System.nanoTime() - start) / 1e9, SEED, host.admitted.get(), host.no.get());
    } catch (Throwable e) {
      throw new AssertionError("repeat it with -Dxsched.seed=" + SEED, e);
    } finally {
      registrar.close();
      thread.join();
      host.board.close();
    }
  }

  private static void come(int strangers, FuzzSender sender, ControlDirectory directory)
      throws IOException {
    for (int i = 0; i < strangers; i++) {
      sender.annoy();
      if (i % HONEST_EVERY == 0) {
        registerHonestly(directory);
      }
    }
  }

  private static void registerHonestly(ControlDirectory directory) throws IOException {
    Block block = Block.create();
    try (Registration registration = Registration.with(directory, "honest", block)) {
      assertThat(registration.program()).isPositive();
      assertThat(registration.awaitEnd(0)).isFalse();
    } finally {
      block.close();
    }
  }

  private static void settle(String what, FuzzSender sender, ReadingHost host) {
    sender.leave();
    await(what, host.blocks::isEmpty);
  }

  private static void await(String what, BooleanSupplier condition) {
    for (int i = 0; !condition.getAsBoolean(); i++) {
      if (i == 600) {
        throw new AssertionError("waited in vain for " + what);
      }
      System.gc(); // What programs map is unmapped when nobody can reach it.
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static long descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      return open.count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static long mappings() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(l -> l.contains("memfd:")).count();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Takes most in, reads what they wrote, and refuses some. */
  private static final class ReadingHost implements Registrar.Host {
    final Board board;
    final Map<Long, Block> blocks = new ConcurrentHashMap<>();
    final AtomicLong admitted = new AtomicLong();
    final AtomicLong no = new AtomicLong();
    final AtomicLong broken = new AtomicLong();

    ReadingHost() throws IOException {
      board = Board.create();
    }

    @Override
    public Registrar.Admission admit(PacketSocket.Peer peer, String name, Block block)
        throws Registrar.RefusedException {
      if (peer.pid() != ProcessHandle.current().pid() || name.chars().anyMatch(c -> c < ' ')) {
        broken.incrementAndGet();
      }
      if (name.length() % 7 == 6 && !name.equals("honest")) {
        throw new Registrar.RefusedException("a name of %d letters".formatted(name.length()));
      }
      long id = admitted.incrementAndGet();
      Slot slot = block.slot((int) (id % Block.CAPACITY));
      slot.name();
      slot.asks().over(Hints.DEFAULT, Hint.Scope.QUEUE, Hints.Source.APPLICATION);
      blocks.put(id, block);
      return new Registrar.Admission(id, board, (int) (id % Board.PROGRAMS));
    }

    @Override
    public void left(long program) {
      Block block = blocks.remove(program);
      if (block == null) {
        broken.incrementAndGet();
      } else {
        block.close();
      }
    }

    @Override
    public String token(PacketSocket.Peer peer) throws Registrar.RefusedException {
      throw new Registrar.RefusedException("no token for strangers");
    }

    @Override
    public void refused(String why) {
      no.incrementAndGet();
    }

    @Override
    public void tick() {}
  }
}
