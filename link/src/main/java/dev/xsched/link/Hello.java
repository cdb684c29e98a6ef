package dev.xsched.link;

import static dev.xsched.link.Layouts.HELLO;
import static dev.xsched.link.Layouts.offset;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What a program says first: struct xsched_hello.
 *
 * @param name what lists show; empty for the name of the executable
 */
record Hello(int version, int kind, String name) {
  static final int PROGRAM = 1;
  static final int TOKEN = 2;

  private static final long MAGIC = offset(HELLO, "magic");
  private static final long VERSION = offset(HELLO, "version");
  private static final long KIND = offset(HELLO, "kind");
  private static final long NAME = offset(HELLO, "name");
  private static final int NAME_SIZE = 64;

  /** Whether it is a hello of any version: these fields stay where they are. */
  static boolean isOne(MemorySegment packet, int size) {
    return size >= VERSION + 4 && packet.get(JAVA_INT, MAGIC) == Layouts.HELLO_MAGIC;
  }

  static int versionOf(MemorySegment packet) {
    return packet.get(JAVA_INT, VERSION);
  }

  static Hello read(MemorySegment packet) {
    return new Hello(
        versionOf(packet), packet.get(JAVA_INT, KIND), Text.read(packet, NAME, NAME_SIZE));
  }

  MemorySegment write(Arena arena) {
    MemorySegment packet = arena.allocate(HELLO);
    packet.set(JAVA_INT, MAGIC, Layouts.HELLO_MAGIC);
    packet.set(JAVA_INT, VERSION, version);
    packet.set(JAVA_INT, KIND, kind);
    Text.write(packet, NAME, NAME_SIZE, name);
    return packet;
  }
}
