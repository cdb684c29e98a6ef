package dev.xsched.link;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that another process maps, too. Its size is sealed, so that neither side can take pages
 * away under the other's feet. Close it only when nobody uses it any more.
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

  private final int fd;
  private final Arena arena;
  private final MemorySegment memory;

  private SharedMemory(int fd, Arena arena, MemorySegment memory) {
    this.fd = fd;
    this.arena = arena;
    this.memory = memory;
  }

  /** Makes memory full of zeros that only this user can open by other ways than the descriptor. */
  static SharedMemory create(String name, long size) throws IOException {
    int fd;
    try (Arena local = Arena.ofConfined()) {
      fd = Kernel.memfdCreate(local.allocateFrom(name), CLOSE_ON_EXEC | ALLOW_SEALING);
    }
    try {
      Kernel.chmod(fd, 0600);
      Kernel.ftruncate(fd, size);
      Kernel.fcntl(fd, ADD_SEALS, SEAL_SHRINK | SEAL_GROW | SEAL_SEAL);
      return map(fd, size);
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
  static SharedMemory adopt(int fd, long size) throws IOException {
    try {
      checkSeals(fd, size);
      SharedMemory mapped = map(fd, size);
      return new SharedMemory(NO_FD, mapped.arena, mapped.memory);
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

  private static SharedMemory map(int fd, long size) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      return new SharedMemory(fd, arena, Kernel.mmap(fd, size, arena));
    } catch (IOException e) {
      arena.close();
      throw e;
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
    arena.close();
    if (fd != NO_FD) {
      Kernel.close(fd);
    }
  }
}
