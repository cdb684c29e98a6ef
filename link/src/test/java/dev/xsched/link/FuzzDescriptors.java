package dev.xsched.link;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Random;

/** Descriptors that somebody may pass in the place of a block's. The caller closes them. */
final class FuzzDescriptors {
  private static final int ADD_SEALS = 1033;
  private static final int SEALED_IN_SIZE = 6;
  private static final long SIZE = Layouts.BLOCK.byteSize();

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle OPEN =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("open"),
          FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle PIPE =
      LINKER.downcallHandle(
          LINKER.defaultLookup().findOrThrow("pipe"), FunctionDescriptor.of(JAVA_INT, ADDRESS));

  private final Random random;

  FuzzDescriptors(Random random) {
    this.random = random;
  }

  /** One of many kinds, half of them blocks. */
  int any() throws IOException {
    return switch (random.nextInt(16)) {
      case 0 -> opened(random.nextBoolean() ? "/dev/null" : "/proc/self/status");
      case 1 -> pipe();
      case 2 -> memory(random.nextInt(3), random.nextInt(64));
      case 3 -> memory(SIZE, 0);
      case 4 -> memory(random.nextBoolean() ? SIZE - 1 : SIZE + 1, SEALED_IN_SIZE);
      case 5 -> memory(SIZE + (1L << 32), SEALED_IN_SIZE);
      case 6 -> block(random.nextInt(64), 0);
      case 7, 8 -> block(SEALED_IN_SIZE, 1 + random.nextInt(2_000));
      default -> block(SEALED_IN_SIZE, 0);
    };
  }

  private static int memory(long size, int seals) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int closeOnExecAllowSealing = 3;
      int fd = Kernel.memfdCreate(arena.allocateFrom("fuzz"), closeOnExecAllowSealing);
      Kernel.ftruncate(fd, size);
      seal(fd, seals);
      return fd;
    }
  }

  /** A block, changed at that many places. */
  private int block(int seals, int changes) throws IOException {
    int fd = memory(SIZE, 0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = Kernel.mmap(fd, SIZE, arena);
      FuzzMemory.change(random, memory, changes);
      FuzzMemory.writeHeader(memory);
      FuzzMemory.change(random, memory.asSlice(0, 64), random.nextInt(8) == 0 ? 1 : 0);
    }
    seal(fd, seals);
    return fd;
  }

  private static void seal(int fd, int seals) {
    try {
      Kernel.fcntl(fd, ADD_SEALS, seals);
    } catch (IOException e) {
      assert seals != SEALED_IN_SIZE : e; // Others are no seals, or not for this memory.
    }
  }

  private static int opened(String path) {
    try (Arena arena = Arena.ofConfined()) {
      return (int) OPEN.invokeExact(arena.allocateFrom(path), 0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static int pipe() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(JAVA_INT, 2);
      int _ = (int) PIPE.invokeExact(ends);
      Kernel.close(ends.getAtIndex(JAVA_INT, 1));
      return ends.getAtIndex(JAVA_INT, 0);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }
}
