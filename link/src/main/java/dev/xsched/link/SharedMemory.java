package dev.xsched.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that another process maps, too. Its size is sealed, so that neither side can take pages
 * away under the other's feet.
 */
final class SharedMemory implements AutoCloseable {
  private static final int CLOSE_ON_EXEC = 1;
  private static final int ALLOW_SEALING = 2;
  private static final int ADD_SEALS = 1033;
  private static final int GET_SEALS = 1034;
  private static final int SEAL_SEAL = 1;
  private static final int SEAL_SHRINK = 2;
  private static final int SEAL_GROW = 4;
  private static final int NO_FD = -1;

  /** When the memory is unmapped. */
  enum Life {
    /** At {@link #close}: the owner knows that nobody uses it any more. */
    UNTIL_CLOSED,
    /** When nobody can reach it: threads of a program may use it at any time. */
    WHILE_REACHABLE
  }

  private final int fd;
  private final Life life;
  private final Arena arena;
  private final MemorySegment memory;

  private SharedMemory(int fd, Life life, int mapped, long size) throws IOException {
    this.fd = fd;
    this.life = life;
    this.arena = life == Life.UNTIL_CLOSED ? Arena.ofShared() : Arena.ofAuto();
    this.memory = Kernel.mmap(mapped, size, arena);
  }

  /** Makes memory full of zeros that only this user can open by other ways than the descriptor. */
  static SharedMemory create(String name, long size, Life life) throws IOException {
    int fd;
    try (Arena local = Arena.ofConfined()) {
      fd = Kernel.memfdCreate(local.allocateFrom(name), CLOSE_ON_EXEC | ALLOW_SEALING);
    }
    try {
      Kernel.chmod(fd, 0600);
      Kernel.ftruncate(fd, size);
      Kernel.fcntl(fd, ADD_SEALS, SEAL_SHRINK | SEAL_GROW | SEAL_SEAL);
      return new SharedMemory(fd, life, fd, size);
    } catch (IOException e) {
      Kernel.close(fd);
      throw e;
    }
  }

  /**
   * Maps memory that another process made. The descriptor is closed in any case.
   *
   * @throws IOException if it is no memory of that size sealed in size
   */
  static SharedMemory adopt(int fd, long size, Life life) throws IOException {
    try {
      checkSeals(fd, size);
      return new SharedMemory(NO_FD, life, fd, size);
    } finally {
      Kernel.close(fd);
    }
  }

  private static void checkSeals(int fd, long size) throws IOException {
    int seals;
    try {
      seals = Kernel.fcntl(fd, GET_SEALS, 0);
    } catch (IOException e) {
      throw new IOException("the descriptor is not of a memfd", e);
    }
    if ((seals & SEAL_SHRINK) == 0 || (seals & SEAL_GROW) == 0) {
      throw new IOException("the memory is not sealed in size");
    }
    long actual = Kernel.size(fd);
    if (actual != size) {
      throw new IOException("the memory has %d bytes instead of %d".formatted(actual, size));
    }
  }

  int fd() {
    return fd;
  }

  MemorySegment memory() {
    return memory;
  }

  /** Hands it to another user, whose programs may open it from then on; root only. */
  void giveTo(int uid) throws IOException {
    Kernel.chown(fd, uid);
  }

  @Override
  public void close() {
    if (life == Life.UNTIL_CLOSED) {
      arena.close();
    }
    if (fd != NO_FD) {
      Kernel.close(fd);
    }
  }
}
