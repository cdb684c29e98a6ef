package dev.xsched.sim.shared;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The file that is the device: the same layout, and the same steps, as in the C header. */
final class SharedFile implements AutoCloseable {
  static final int MAGIC = 0x55505853;
  static final int VERSION = 1;
  static final int RUNS = 65_536;
  static final long AHEAD_NANOS = 3_600_000_000_000L;

  static final long MAGIC_AT = 0;
  static final long VERSION_AT = 4;
  static final long SIZE_AT = 8;
  static final long RUNS_AT = 12;
  static final long FREE_AT = 64;
  static final long BUSY_NANOS_AT = 128;
  static final long LAUNCHES_AT = 192;
  static final long FIRST_RUN_AT = 4_096;

  static final long RUN_SIZE = 64;
  static final long RUN_NUMBER_AT = 0;
  static final long RUN_PID_AT = 8;
  static final long RUN_QUEUE_AT = 12;
  static final long RUN_SEQUENCE_AT = 16;
  static final long RUN_START_AT = 24;
  static final long RUN_END_AT = 32;

  static final long SIZE = FIRST_RUN_AT + RUNS * RUN_SIZE;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS = LONG.varHandle();

  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;
  private final int pid = (int) ProcessHandle.current().pid();

  /**
   * Opens the device at a path, making it if nobody has.
   *
   * @throws IOException if the file cannot be had
   * @throws IllegalArgumentException if it is something else
   */
  SharedFile(Path path) throws IOException {
    try {
      this.memory = map(path, arena);
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  private static MemorySegment map(Path path, Arena arena) throws IOException {
    try (FileChannel channel = openOrMake(path)) {
      if (channel.size() == SIZE) {
        MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, arena);
        if (memory.get(INT, MAGIC_AT) == MAGIC && memory.get(INT, VERSION_AT) == VERSION) {
          return memory;
        }
      }
    }
    throw new IllegalArgumentException(
        "'%s' is no device of this version; remove it or name another".formatted(path));
  }

  private static FileChannel openOrMake(Path path) throws IOException {
    try {
      return open(path);
    } catch (NoSuchFileException e) {
      make(path);
      return open(path);
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  /** The file is complete before it gets its name; somebody else may have been faster. */
  private static void make(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    Path temporary = Files.createTempFile(folder, path.getFileName() + ".", null);
    try {
      Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-rw-rw-"));
      ByteBuffer who = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
      who.putInt(MAGIC).putInt(VERSION).putInt((int) SIZE).putInt(RUNS).flip();
      try (FileChannel channel = open(temporary)) {
        channel.write(who, 0);
        channel.write(ByteBuffer.allocate(1), SIZE - 1);
      }
      Files.createLink(path, temporary);
    } catch (FileAlreadyExistsException e) {
      // As good as our own.
    } finally {
      Files.delete(temporary);
    }
  }

  /** Launches a command and returns when it will end. */
  long launch(int queue, long sequence, long nanos) {
    long freeAt = (long) LONGS.getVolatile(memory, FREE_AT);
    while (true) {
      long now = System.nanoTime(); // CLOCK_MONOTONIC on Linux, as in C
      boolean queued = freeAt > now && freeAt - now < AHEAD_NANOS;
      long start = queued ? freeAt : now;
      long seen = (long) LONGS.compareAndExchange(memory, FREE_AT, freeAt, start + nanos);
      if (seen == freeAt) {
        LONGS.getAndAdd(memory, BUSY_NANOS_AT, nanos);
        record(queue, sequence, start, start + nanos);
        return start + nanos;
      }
      freeAt = seen;
    }
  }

  private void record(int queue, long sequence, long start, long end) {
    long number = (long) LONGS.getAndAdd(memory, LAUNCHES_AT, 1L);
    long run = runAt(number);
    LONGS.setVolatile(memory, run + RUN_NUMBER_AT, 0L);
    memory.set(INT, run + RUN_PID_AT, pid);
    memory.set(INT, run + RUN_QUEUE_AT, queue);
    memory.set(LONG, run + RUN_SEQUENCE_AT, sequence);
    memory.set(LONG, run + RUN_START_AT, start);
    memory.set(LONG, run + RUN_END_AT, end);
    LONGS.setVolatile(memory, run + RUN_NUMBER_AT, number + 1);
  }

  long launches() {
    return (long) LONGS.getVolatile(memory, LAUNCHES_AT);
  }

  long busyNanos() {
    return (long) LONGS.getVolatile(memory, BUSY_NANOS_AT);
  }

  /** The runs that are still in the ring, oldest first. */
  List<SharedRun> runs() {
    long end = launches();
    List<SharedRun> all = new ArrayList<>();
    for (long number = Math.max(0, end - RUNS); number < end; number++) {
      run(number).ifPresent(all::add);
    }
    return all;
  }

  /** Empty while it is being written, or after it was overwritten. */
  private Optional<SharedRun> run(long number) {
    long at = runAt(number);
    if ((long) LONGS.getVolatile(memory, at + RUN_NUMBER_AT) != number + 1) {
      return Optional.empty();
    }
    SharedRun run =
        new SharedRun(
            memory.get(INT, at + RUN_PID_AT),
            memory.get(INT, at + RUN_QUEUE_AT),
            memory.get(LONG, at + RUN_SEQUENCE_AT),
            memory.get(LONG, at + RUN_START_AT),
            memory.get(LONG, at + RUN_END_AT));
    VarHandle.loadLoadFence();
    return (long) LONGS.getVolatile(memory, at + RUN_NUMBER_AT) == number + 1
        ? Optional.of(run)
        : Optional.empty();
  }

  private static long runAt(long number) {
    return FIRST_RUN_AT + number % RUNS * RUN_SIZE;
  }

  @Override
  public void close() {
    arena.close();
  }
}
