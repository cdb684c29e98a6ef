package dev.xsched.link;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sockets that one thread waits for together: struct pollfd[]. */
final class PollSet {
  private static final long ENTRY = 8;
  private static final short READABLE = 1;

  private final MemorySegment entries;

  PollSet(Arena arena, int capacity) {
    entries = arena.allocate(ENTRY * capacity, 8);
  }

  int capacity() {
    return (int) (entries.byteSize() / ENTRY);
  }

  void watch(int index, int fd) {
    entries.set(JAVA_INT, ENTRY * index, fd);
    entries.set(JAVA_SHORT, ENTRY * index + 4, READABLE);
    entries.set(JAVA_SHORT, ENTRY * index + 6, (short) 0);
  }

  /** Whether something came, or the connection has ended. */
  boolean hasNews(int index) {
    return entries.get(JAVA_SHORT, ENTRY * index + 6) != 0;
  }

  /** Waits for the first so many; returns how many of them have news. */
  int poll(int count, int timeoutMillis) throws IOException {
    try {
      return Kernel.poll(entries, count, timeoutMillis);
    } catch (Kernel.CallFailedException e) {
      if (e.errno() == Kernel.EINTR) {
        return 0;
      }
      throw e;
    }
  }
}
