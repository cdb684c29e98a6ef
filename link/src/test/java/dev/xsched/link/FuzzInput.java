package dev.xsched.link;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Hellos as an honest program, an older one, a broken one and an enemy would send them. */
final class FuzzInput {
  private static final int LONGEST = 400;

  private final Random random;

  FuzzInput(Random random) {
    this.random = random;
  }

  /** A packet of any length, mostly close to a hello. */
  MemorySegment packet(Arena arena) {
    return switch (random.nextInt(8)) {
      case 0 -> noise(arena, random.nextInt(LONGEST));
      case 1 -> cutOrPadded(arena, hello(arena));
      case 2, 3 -> mutated(hello(arena));
      case 4 -> cutOrPadded(arena, mutated(hello(arena)));
      default -> hello(arena);
    };
  }

  private MemorySegment hello(Arena arena) {
    int version = random.nextInt(8) == 0 ? anyInt() : Layouts.PROTOCOL;
    int kind = random.nextInt(8) == 0 ? anyInt() : Hello.PROGRAM;
    return new Hello(version, kind, text(random.nextInt(80))).write(arena);
  }

  private MemorySegment noise(Arena arena, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    MemorySegment packet = arena.allocate(Math.max(1, size), 8).asSlice(0, size);
    MemorySegment.copy(bytes, 0, packet, JAVA_BYTE, 0, size);
    return packet;
  }

  private MemorySegment mutated(MemorySegment packet) {
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      if (random.nextBoolean()) {
        packet.set(JAVA_BYTE, random.nextLong(packet.byteSize()), (byte) random.nextInt());
      } else {
        packet.set(JAVA_INT, 4L * random.nextLong(packet.byteSize() / 4), anyInt());
      }
    }
    return packet;
  }

  private MemorySegment cutOrPadded(Arena arena, MemorySegment packet) {
    int size = random.nextInt(LONGEST);
    MemorySegment other = noise(arena, size);
    long shared = Math.min(size, packet.byteSize());
    MemorySegment.copy(packet, 0, other, 0, shared);
    return other;
  }

  /** Numbers at the edges more often than others. */
  int anyInt() {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> -1;
      case 2 -> Integer.MAX_VALUE;
      case 3 -> Integer.MIN_VALUE;
      case 4 -> random.nextInt(4);
      default -> random.nextInt();
    };
  }

  private String text(int length) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.appendCodePoint(1 + random.nextInt(random.nextInt(8) == 0 ? 0xD000 : 0x7F));
    }
    return text.toString();
  }
}
