package dev.xsched.opencl;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Reads what OpenCL answers to questions. */
final class Infos {
  private Infos() {}

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
