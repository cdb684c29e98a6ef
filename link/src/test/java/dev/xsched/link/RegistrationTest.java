package dev.xsched.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a program and the daemon get acquainted, or do not. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RegistrationTest {
  @TempDir Path folder = Path.of("");

  private final List<String> refusals = new CopyOnWriteArrayList<>();
  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private volatile boolean fails;
  private Board board;
  private Registrar registrar;
  private Thread thread;

  @BeforeEach
  void start() throws IOException {
    board = Board.create();
    registrar = Registrar.at(directory().socket(), new SmallHost(), System::nanoTime);
    thread = Thread.ofPlatform().daemon().start(registrar::run);
  }

  @AfterEach
  void stop() throws InterruptedException {
    registrar.close();
    thread.join();
    board.close();
  }

  private ControlDirectory directory() {
    return new ControlDirectory(folder);
  }

  @Test
  void aProgramAndTheDaemonShareBlockAndBoard() throws Exception {
    Block block = Block.create();
    try (Registration registration = Registration.with(directory(), "me", block)) {
      assertThat(registration.program()).isEqualTo(7);
      assertThat(registration.boardIndex()).isEqualTo(70);
      assertThat(block.heartbeat()).as("written by the host").isEqualTo(123);
      registration.board().ring(70);
      assertThat(board.takeRung(1)).isEqualTo(1L << 6);
      assertThat(registration.awaitEnd(0)).isFalse();
      registrar.close();
      assertThat(registration.awaitEnd(10_000)).isTrue();
    }
    block.close();
  }

  @Test
  void anotherVersionGetsAnAnswerThatSaysSo() throws Exception {
    try (Arena arena = Arena.ofConfined();
        PacketSocket socket = PacketSocket.connect(directory().socket())) {
      socket.send(
          new Hello(Layouts.PROTOCOL + 1, Hello.PROGRAM, "from the future").write(arena), -1);
      assertThat(socket.await(10_000)).isTrue();
      MemorySegment packet = arena.allocate(Layouts.WELCOME);
      PacketSocket.Received received = Objects.requireNonNull(socket.receive(packet));
      Welcome welcome = Welcome.read(packet, received.size());
      assertThat(welcome.status()).isEqualTo(Welcome.OTHER_VERSION);
      assertThat(welcome.version()).isEqualTo(Layouts.PROTOCOL);
      assertThat(welcome.message()).isEqualTo("protocol 3, the daemon speaks 2");
      assertThat(socket.await(10_000)).as("and then the end").isTrue();
    }
    assertThat(refusals).containsExactly("protocol 3, the daemon speaks 2");
  }

  @Test
  void aRefusalReachesTheProgram() throws Exception {
    Block block = Block.create();
    assertThatThrownBy(() -> Registration.with(directory(), "nobody", block))
        .isInstanceOf(Registration.RefusedException.class)
        .hasMessage("not you");
    block.close();
  }

  @Test
  void theTokenIsForTheAsking() throws Exception {
    assertThat(Registration.token(directory())).isEqualTo("127.0.0.1:1 secret");
  }

  @Test
  void aHelloWithoutMemoryIsRefused() throws Exception {
    try (Arena arena = Arena.ofConfined();
        PacketSocket socket = PacketSocket.connect(directory().socket())) {
      socket.send(new Hello(Layouts.PROTOCOL, Hello.PROGRAM, "empty-handed").write(arena), -1);
      assertThat(socket.await(10_000)).isTrue();
      MemorySegment packet = arena.allocate(Layouts.WELCOME);
      PacketSocket.Received received = Objects.requireNonNull(socket.receive(packet));
      assertThat(Welcome.read(packet, received.size()).status()).isEqualTo(Welcome.REFUSED);
    }
  }

  @Test
  void theHostsErrorsCostNobodyElseAnything() throws Exception {
    Block block = Block.create();
    Registration leaves = Registration.with(directory(), "leaves", block);
    fails = true;
    leaves.close();
    assertThatThrownBy(() -> Registration.with(directory(), "comes", block))
        .isInstanceOf(IOException.class);
    while (!failed.containsAll(List.of("left", "admit", "tick"))) {
      Thread.sleep(1);
    }
    fails = false;
    Registration.with(directory(), "me", block).close();
    block.close();
  }

  @Test
  void whereNobodyListensThatIsSaid() throws Exception {
    Block block = Block.create();
    assertThatThrownBy(
            () -> Registration.with(new ControlDirectory(folder.resolve("no")), "me", block))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(Registration.RefusedException.class)
        .hasMessageContaining("connect");
    block.close();
  }

  private final class SmallHost implements Registrar.Host {
    private void fail(String where) {
      if (fails) {
        failed.add(where);
        throw new StackOverflowError();
      }
    }

    @Override
    public Registrar.Admission admit(PacketSocket.Peer peer, String name, Block block)
        throws Registrar.RefusedException {
      if (name.equals("nobody")) {
        throw new Registrar.RefusedException("not you");
      }
      fail("admit");
      block.setHeartbeat(123);
      return new Registrar.Admission(7, board, 70);
    }

    @Override
    public void left(long program) {
      fail("left");
    }

    @Override
    public String token(PacketSocket.Peer peer) {
      return "127.0.0.1:1 secret";
    }

    @Override
    public void refused(String why) {
      refusals.add(why);
    }

    @Override
    public void tick() {
      fail("tick");
    }
  }
}
