package dev.xsched.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text in fields of fixed size that end with 0. */
final class Text {
  private Text() {}

  /**
   * Reads what is there without trust: whatever is broken or could garble a list, such as control
   * characters and marks that turn the direction of writing, becomes '?'.
   */
  static String read(MemorySegment memory, long offset, int size) {
    byte[] bytes = new byte[size];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, size);
    int length = 0;
    while (length < size && bytes[length] != 0) {
      length++;
    }
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return text.codePoints()
        .map(c -> isClean(c) ? c : '?')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isClean(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> c != '\uFFFD';
    };
  }

  /** Writes as much as fits, without cutting a character in two. */
  static void write(MemorySegment memory, long offset, int size, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(bytes.length, size - 1);
    while (length > 0 && length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
      length--;
    }
    memory.asSlice(offset, size).fill((byte) 0);
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, length);
  }
}
