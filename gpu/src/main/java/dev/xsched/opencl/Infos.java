package dev.xsched.opencl;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.xsched.gpu.Driver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Asks OpenCL, first for the size of its answer and then for the answer, and reads that. */
final class Infos {
  /** Asks for objects. */
  @FunctionalInterface
  interface Lister {
    int list(int room, MemorySegment ids, MemorySegment count) throws Throwable;
  }

  /** Asks for a value. */
  @FunctionalInterface
  interface Getter {
    int get(long room, MemorySegment value, MemorySegment size) throws Throwable;
  }

  private Infos() {}

  /**
   * Returns objects.
   *
   * @param none the code that says that there are none
   */
  static List<MemorySegment> list(String what, int none, Lister lister) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int code = Driver.call(() -> lister.list(0, NULL, count));
      if (code == none) {
        return List.of();
      }
      OpenClErrors.check(what, code);
      int size = count.get(JAVA_INT, 0);
      MemorySegment ids = arena.allocate(ADDRESS, size);
      OpenClErrors.check(what, Driver.call(() -> lister.list(size, ids, NULL)));
      List<MemorySegment> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        all.add(ids.getAtIndex(ADDRESS, i));
      }
      return all;
    }
  }

  static byte[] bytes(String what, Getter getter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      OpenClErrors.check(what, Driver.call(() -> getter.get(0, NULL, size)));
      MemorySegment value = arena.allocate(Math.max(1, size.get(JAVA_LONG, 0)));
      OpenClErrors.check(what, Driver.call(() -> getter.get(value.byteSize(), value, NULL)));
      return value.toArray(JAVA_BYTE);
    }
  }

  static String text(byte[] bytes) {
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).strip();
  }

  static int integer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
  }

  static long number(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong();
  }

  static MemorySegment address(byte[] bytes) {
    return MemorySegment.ofAddress(number(bytes));
  }
}
