package dev.xsched.link;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Text in fields of fixed size that end with 0. */
final class Text {
  private Text() {}

  /** Reads what is there without trust: control characters and broken UTF-8 become '?'. */
  static String read(MemorySegment memory, long offset, int size) {
    byte[] bytes = new byte[size];
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, size);
    int length = 0;
    while (length < size && bytes[length] != 0) {
      length++;
    }
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    return text.codePoints()
        .map(c -> Character.isISOControl(c) || c == '\uFFFD' ? '?' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
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
