package dev.xsched.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A program's side of the acquaintance: it stands until either side ends. */
public final class Registration implements AutoCloseable {
  private static final int ANSWER_MILLIS = 500;

  private final PacketSocket socket;
  private final Board board;
  private final int boardIndex;
  private final long program;

  private Registration(PacketSocket socket, Board board, int boardIndex, long program) {
    this.socket = socket;
    this.board = board;
    this.boardIndex = boardIndex;
    this.program = program;
  }

  /** The daemon will not have this program, and trying again does not help. */
  public static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message);
    }
  }

  /**
   * Registers with the daemon of a folder.
   *
   * @throws RefusedException if the daemon refuses
   * @throws IOException if there is no daemon or it does not answer
   */
  public static Registration with(ControlDirectory directory, String name, Block block)
      throws IOException {
    PacketSocket socket = PacketSocket.connect(directory.socket());
    try (Arena arena = Arena.ofConfined()) {
      Answer answer = ask(socket, arena, new Hello(Layouts.PROTOCOL, Hello.PROGRAM, name), block);
      if (answer.fd() == -1) {
        throw new IOException("the daemon's answer brought no board");
      }
      Board board = Board.adopt(answer.fd());
      int index = answer.welcome().boardIndex();
      if (index < 0 || index >= Board.PROGRAMS) {
        throw new IOException("the daemon's answer names place %d at its board".formatted(index));
      }
      return new Registration(socket, board, index, answer.welcome().program());
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Asks the daemon of a folder for "ADDRESS TOKEN" of its REST interface. */
  public static String token(ControlDirectory directory) throws IOException {
    try (PacketSocket socket = PacketSocket.connect(directory.socket());
        Arena arena = Arena.ofConfined()) {
      Hello hello = new Hello(Layouts.PROTOCOL, Hello.TOKEN, "");
      return ask(socket, arena, hello, null).welcome().message();
    }
  }

  public Board board() {
    return board;
  }

  /** The program's bit at the board's bell. */
  public int boardIndex() {
    return boardIndex;
  }

  /** The daemon's name for this registration. */
  public long program() {
    return program;
  }

  /** Waits for the daemon's end; false if the time is over first. */
  public boolean awaitEnd(int timeoutMillis) throws IOException {
    return socket.await(timeoutMillis);
  }

  @Override
  public void close() {
    socket.close();
    board.close();
  }

  private record Answer(Welcome welcome, int fd) {}

  private static Answer ask(PacketSocket socket, Arena arena, Hello hello, @Nullable Block block)
      throws IOException {
    socket.send(hello.write(arena), block == null ? -1 : block.fd());
    if (!socket.await(ANSWER_MILLIS)) {
      throw new IOException("the daemon does not answer");
    }
    MemorySegment packet = arena.allocate(Layouts.WELCOME);
    PacketSocket.Received received = socket.receive(packet);
    if (received == null || received.size() == 0) {
      throw new IOException("the daemon hung up");
    }
    try {
      return new Answer(accepted(Welcome.read(packet, received.size())), received.fd());
    } catch (IOException e) {
      if (received.fd() != -1) {
        Kernel.close(received.fd());
      }
      throw e;
    }
  }

  private static Welcome accepted(Welcome welcome) throws RefusedException {
    if (welcome.status() == Welcome.OTHER_VERSION || welcome.version() != Layouts.PROTOCOL) {
      throw new RefusedException(
          "the daemon speaks protocol %d and this program %d; use the same release for both"
              .formatted(welcome.version(), Layouts.PROTOCOL));
    }
    if (welcome.status() != Welcome.OK) {
      throw new RefusedException(welcome.message());
    }
    return welcome;
  }
}
