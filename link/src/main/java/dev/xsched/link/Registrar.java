package dev.xsched.link;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The daemon's side of the acquaintance: one thread that lets programs in, notices when they have
 * gone, and trusts nobody. Whatever a stranger does costs it no more than its own connection.
 */
public final class Registrar implements AutoCloseable {
  /** What the registrar is for. Called on its thread alone. */
  public interface Host {
    /**
     * Takes a program in; owns the block from then on.
     *
     * @throws RefusedException with the reason for its user
     */
    Admission admit(PacketSocket.Peer peer, String name, Block block) throws RefusedException;

    /** A program that was taken in has gone. */
    void left(long program);

    /** The address and the token of this user, "ADDRESS TOKEN". */
    String token(PacketSocket.Peer peer) throws RefusedException;

    /** A hello was turned away. */
    void refused(String why);

    /** Called ten times a second. */
    void tick();
  }

  /** A program's place. */
  public record Admission(long program, Board board, int boardIndex) {}

  /** Why somebody cannot be helped. */
  public static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public RefusedException(String why) {
      super(why);
    }
  }

  private static final System.Logger LOG = System.getLogger("dev.xsched.link");
  private static final long TICK_NANOS = 100_000_000;
  private static final long HELLO_NANOS = 2_000_000_000;
  private static final int MOST_CONNECTIONS = 4096;
  private static final int MOST_OF_ONE_USER = 1280; // Enough for a full board, and some to spare.

  private final PacketSocket listener;
  private final Host host;
  private final LongSupplier clock;
  private final List<Connection> connections = new ArrayList<>();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment packet = arena.allocate(Layouts.HELLO.byteSize() + 1, 8);
  private PollSet polled = new PollSet(Arena.ofAuto(), 64);
  private volatile boolean closing;

  private Registrar(PacketSocket listener, Host host, LongSupplier clock) {
    this.listener = listener;
    this.host = host;
    this.clock = clock;
  }

  /** Listens at a path that does not exist yet. */
  public static Registrar at(Path socket, Host host, LongSupplier clock) throws IOException {
    return new Registrar(PacketSocket.listen(socket), host, clock);
  }

  /** Serves until closed. */
  public void run() {
    long nextTick = clock.getAsLong();
    while (!closing) {
      long now = clock.getAsLong();
      try {
        if (now >= nextTick) {
          nextTick = now + TICK_NANOS;
          host.tick();
          dropSilent(now);
        }
        serve((int) Math.max(1, (nextTick - now + 999_999) / 1_000_000));
      } catch (RuntimeException | Error e) {
        // Nobody else would notice: programs must go on being let in and out.
        LOG.log(Level.ERROR, "internal error while serving programs", e);
      }
    }
    connections.forEach(c -> c.socket.close());
    listener.close();
    arena.close();
  }

  /** Ends {@link #run} at its next tick. */
  @Override
  public void close() {
    closing = true;
  }

  private void serve(int timeoutMillis) {
    int count = connections.size();
    if (polled.capacity() < count + 1) {
      polled = new PollSet(Arena.ofAuto(), 2 * (count + 1));
    }
    polled.watch(0, listener.fd());
    for (int i = 0; i < count; i++) {
      polled.watch(i + 1, connections.get(i).socket.fd());
    }
    try {
      if (polled.poll(count + 1, timeoutMillis) == 0) {
        return;
      }
    } catch (IOException e) {
      LOG.log(Level.ERROR, "waiting for programs failed", e);
      return;
    }
    for (int i = count - 1; i >= 0; i--) {
      if (polled.hasNews(i + 1) && !hear(connections.get(i))) {
        connections.remove(i);
      }
    }
    if (polled.hasNews(0)) {
      accept();
    }
  }

  private void accept() {
    try {
      PacketSocket socket = listener.accept();
      int uid = socket.peer().uid();
      long ofSameUser = connections.stream().filter(c -> c.uid == uid).count();
      if (connections.size() >= MOST_CONNECTIONS || ofSameUser >= MOST_OF_ONE_USER) {
        socket.close();
        host.refused("uid %d has %d connections already".formatted(uid, ofSameUser));
        return;
      }
      connections.add(new Connection(socket, uid, clock.getAsLong() + HELLO_NANOS));
    } catch (IOException e) {
      // Out of descriptors, most likely. Not again at once: the next tick is soon enough.
      host.refused("a connection could not be accepted: " + e.getMessage());
      pause();
    }
  }

  /** Hears what a connection has to say; false if that was its end. */
  private boolean hear(Connection connection) {
    boolean goesOn = false;
    try {
      PacketSocket.Received received = connection.socket.receive(packet);
      if (received == null) {
        goesOn = true;
      } else if (received.size() > 0 && connection.program == 0) {
        goesOn = greet(connection, received);
      } else if (received.fd() != -1) {
        Kernel.close(received.fd());
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a connection broke", e);
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a program could not be taken in", e);
    }
    if (!goesOn) {
      drop(connection);
    }
    return goesOn;
  }

  /** Answers a hello; true if a program was taken in. */
  private boolean greet(Connection connection, PacketSocket.Received received) throws IOException {
    int fd = received.fd();
    try (Arena local = Arena.ofConfined()) {
      if (!Hello.isOne(packet, received.size())) {
        host.refused("what came was no hello");
        return false;
      }
      int version = Hello.versionOf(packet);
      if (version != Layouts.PROTOCOL || received.size() != Layouts.HELLO.byteSize()) {
        String why = "protocol %d, the daemon speaks %d".formatted(version, Layouts.PROTOCOL);
        host.refused(why);
        connection.socket.send(Welcome.not(Welcome.OTHER_VERSION, why).write(local), -1);
        return false;
      }
      Hello hello = Hello.read(packet);
      try {
        if (hello.kind() == Hello.TOKEN) {
          String token = host.token(connection.socket.peer());
          connection.socket.send(Welcome.ok(0, 0, token).write(local), -1);
          return false;
        }
        if (hello.kind() != Hello.PROGRAM || fd == -1) {
          throw new RefusedException("a hello of unknown kind, or without memory");
        }
        int given = fd;
        fd = -1;
        admit(connection, hello.name(), given, local);
        return true;
      } catch (RefusedException e) {
        host.refused(String.valueOf(e.getMessage()));
        Welcome no = Welcome.not(Welcome.REFUSED, String.valueOf(e.getMessage()));
        connection.socket.send(no.write(local), -1);
        return false;
      }
    } finally {
      if (fd != -1) {
        Kernel.close(fd);
      }
    }
  }

  private void admit(Connection connection, String name, int fd, Arena local)
      throws IOException, RefusedException {
    Block block;
    try {
      block = Block.adopt(fd);
    } catch (IOException e) {
      throw new RefusedException(
          "%s; use the client library of this release".formatted(e.getMessage()));
    }
    Admission admission;
    try {
      admission = host.admit(connection.socket.peer(), name, block);
    } catch (RefusedException | RuntimeException | Error e) {
      block.close();
      throw e;
    }
    connection.program = admission.program();
    Welcome welcome = Welcome.ok(admission.boardIndex(), admission.program(), "");
    connection.socket.send(welcome.write(local), admission.board().fd());
  }

  private void dropSilent(long now) {
    connections.removeIf(
        connection -> {
          boolean silent = connection.program == 0 && now > connection.helloUntil;
          if (silent) {
            drop(connection);
          }
          return silent;
        });
  }

  private void drop(Connection connection) {
    connection.socket.close();
    if (connection.program != 0) {
      try {
        host.left(connection.program);
      } catch (RuntimeException | Error e) {
        LOG.log(Level.ERROR, "a program that has gone could not be forgotten", e);
      }
    }
  }

  private void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      closing = true;
    }
  }

  private static final class Connection {
    final PacketSocket socket;
    final int uid;
    final long helloUntil;

    /** 0 until it said hello. */
    long program;

    Connection(PacketSocket socket, int uid, long helloUntil) {
      this.socket = socket;
      this.uid = uid;
      this.helloUntil = helloUntil;
    }
  }
}
