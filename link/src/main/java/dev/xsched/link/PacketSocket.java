package dev.xsched.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket of whole packets that can carry a descriptor and tells who is at the other end.
 * What the JDK's own Unix sockets lack.
 */
public final class PacketSocket implements AutoCloseable {
  private static final int AF_UNIX = 1;
  private static final int SEQPACKET = 5;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int NON_BLOCKING = 0x800;
  private static final int SOL_SOCKET = 1;
  private static final int SCM_RIGHTS = 1;
  private static final int PEER_CREDENTIALS = 17;
  private static final int DONT_WAIT = 0x40;
  private static final int NO_SIGNAL = 0x4000;
  private static final int CLOSE_ON_EXEC_RECEIVED = 0x40000000;
  private static final int LONGEST_PATH = 107;

  // struct msghdr and struct cmsghdr of 64-bit Linux.
  private static final long MSG_IOV = 16;
  private static final long MSG_IOV_COUNT = 24;
  private static final long MSG_CONTROL = 32;
  private static final long MSG_CONTROL_SIZE = 40;
  private static final long MSG_SIZE = 56;
  private static final long CMSG_HEADER = 16;

  private final int fd;
  private boolean closed;

  PacketSocket(int fd) {
    this.fd = fd;
  }

  /**
   * Who is at the other end, as the kernel knows it. The pid is 0 if it is in no namespace here.
   */
  public record Peer(int pid, int uid, int gid) {}

  /** What came: its size, 0 at the end of the connection, and a descriptor or -1. */
  record Received(int size, int fd) {}

  /** Listens at a path that does not exist yet. */
  static PacketSocket listen(Path path) throws IOException {
    return open(
        0,
        socket -> {
          try (Arena arena = Arena.ofConfined()) {
            Kernel.bind(socket, address(path, arena));
            Kernel.listen(socket, 128);
          }
        });
  }

  /** Connects at once or not at all: a daemon that hangs must not hang others. */
  static PacketSocket connect(Path path) throws IOException {
    return open(
        NON_BLOCKING,
        socket -> {
          try (Arena arena = Arena.ofConfined()) {
            Kernel.connect(socket, address(path, arena));
          }
        });
  }

  int fd() {
    return fd;
  }

  PacketSocket accept() throws IOException {
    return new PacketSocket(Kernel.accept(fd, CLOSE_ON_EXEC));
  }

  Peer peer() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment credentials = arena.allocate(JAVA_INT, 3);
      MemorySegment size = arena.allocateFrom(JAVA_INT, 12);
      Kernel.getsockopt(fd, SOL_SOCKET, PEER_CREDENTIALS, credentials, size);
      return new Peer(
          credentials.getAtIndex(JAVA_INT, 0),
          credentials.getAtIndex(JAVA_INT, 1),
          credentials.getAtIndex(JAVA_INT, 2));
    }
  }

  /** Sends one packet without waiting, with a descriptor unless that is -1. */
  void send(MemorySegment packet, int passedFd) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = message(arena, packet, passedFd != -1);
      if (passedFd != -1) {
        MemorySegment control = message.get(ADDRESS, MSG_CONTROL).reinterpret(24);
        control.set(JAVA_LONG, 0, CMSG_HEADER + 4);
        control.set(JAVA_INT, 8, SOL_SOCKET);
        control.set(JAVA_INT, 12, SCM_RIGHTS);
        control.set(JAVA_INT, CMSG_HEADER, passedFd);
      }
      Kernel.sendmsg(fd, message, NO_SIGNAL | DONT_WAIT);
    }
  }

  /** Takes one packet; null if none is there yet. What exceeds the buffer is lost. */
  @Nullable Received receive(MemorySegment buffer) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = message(arena, buffer, true);
      int size;
      try {
        size = Kernel.recvmsg(fd, message, DONT_WAIT | CLOSE_ON_EXEC_RECEIVED);
      } catch (Kernel.CallFailedException e) {
        if (e.errno() == Kernel.EAGAIN || e.errno() == Kernel.EINTR) {
          return null;
        }
        throw e;
      }
      return new Received(size, descriptor(message));
    }
  }

  /** Waits until something came or the connection has ended; false if the time is over first. */
  boolean await(int timeoutMillis) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      PollSet set = new PollSet(arena, 1);
      set.watch(0, fd);
      return set.poll(1, timeoutMillis) > 0;
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Kernel.close(fd);
    }
  }

  private interface Setup {
    void accept(int fd) throws IOException;
  }

  private static PacketSocket open(int flags, Setup setup) throws IOException {
    int fd = Kernel.socket(AF_UNIX, SEQPACKET | CLOSE_ON_EXEC | flags);
    try {
      setup.accept(fd);
      return new PacketSocket(fd);
    } catch (IOException e) {
      Kernel.close(fd);
      throw e;
    }
  }

  private static MemorySegment address(Path path, Arena arena) throws IOException {
    byte[] text = path.toString().getBytes(StandardCharsets.UTF_8);
    if (text.length > LONGEST_PATH) {
      throw new IOException(
          "the path %s is longer than the %d bytes of a socket's; choose a shorter XSCHED_DIR"
              .formatted(path, LONGEST_PATH));
    }
    MemorySegment address = arena.allocate(2L + text.length + 1, 2);
    address.set(JAVA_SHORT, 0, (short) AF_UNIX);
    MemorySegment.copy(text, 0, address, JAVA_BYTE, 2, text.length);
    return address;
  }

  private static MemorySegment message(Arena arena, MemorySegment packet, boolean withControl) {
    MemorySegment vector = arena.allocate(16, 8);
    vector.set(ADDRESS, 0, packet);
    vector.set(JAVA_LONG, 8, packet.byteSize());
    MemorySegment message = arena.allocate(MSG_SIZE, 8);
    message.set(ADDRESS, MSG_IOV, vector);
    message.set(JAVA_LONG, MSG_IOV_COUNT, 1);
    if (withControl) {
      message.set(ADDRESS, MSG_CONTROL, arena.allocate(24, 8));
      // Room for one descriptor: the kernel closes any more that a hostile sender adds.
      message.set(JAVA_LONG, MSG_CONTROL_SIZE, CMSG_HEADER + 4);
    }
    return message;
  }

  private static int descriptor(MemorySegment message) {
    if (message.get(JAVA_LONG, MSG_CONTROL_SIZE) < CMSG_HEADER + 4) {
      return -1;
    }
    MemorySegment control = message.get(ADDRESS, MSG_CONTROL).reinterpret(24);
    boolean rights =
        control.get(JAVA_INT, 8) == SOL_SOCKET && control.get(JAVA_INT, 12) == SCM_RIGHTS;
    return rights ? control.get(JAVA_INT, CMSG_HEADER) : -1;
  }
}
