package dev.xsched.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Noise for memory that somebody else writes. */
final class FuzzMemory {
  private FuzzMemory() {}

  /** Writes an honest header. */
  static void writeHeader(MemorySegment block) {
    block.set(JAVA_INT, Layouts.offset(Layouts.BLOCK, "magic"), Layouts.BLOCK_MAGIC);
    block.set(JAVA_INT, Layouts.offset(Layouts.BLOCK, "version"), Layouts.PROTOCOL);
    block.set(JAVA_INT, Layouts.offset(Layouts.BLOCK, "size"), (int) Layouts.BLOCK.byteSize());
    block.set(JAVA_INT, Layouts.offset(Layouts.BLOCK, "slots"), Layouts.SLOTS);
  }

  /** Fills memory with noise of one kind. */
  static void fill(Random random, MemorySegment memory) {
    switch (random.nextInt(4)) {
      case 0 -> memory.fill((byte) 0xFF);
      case 1 -> memory.fill((byte) random.nextInt());
      default -> {
        byte[] noise = new byte[(int) memory.byteSize()];
        random.nextBytes(noise);
        MemorySegment.copy(noise, 0, memory, JAVA_BYTE, 0, noise.length);
      }
    }
  }

  /** Changes some numbers in memory, most of them to values at the edges. */
  static void change(Random random, MemorySegment memory, int changes) {
    for (int i = 0; i < changes; i++) {
      long value =
          switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> -1;
            case 2 -> Long.MAX_VALUE;
            case 3 -> Long.MIN_VALUE;
            default -> random.nextLong();
          };
      if (random.nextBoolean()) {
        memory.set(JAVA_LONG, 8 * random.nextLong(memory.byteSize() / 8), value);
      } else {
        memory.set(JAVA_INT, 4 * random.nextLong(memory.byteSize() / 4), (int) value);
      }
    }
  }
}
