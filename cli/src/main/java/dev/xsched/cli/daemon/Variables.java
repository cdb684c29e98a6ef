package dev.xsched.cli.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** An environment as bytes, {@code NAME=value} each. */
final class Variables {
  private Variables() {}

  /** Those that this process was started with. */
  static List<byte[]> ofProcess() {
    try {
      return split(Files.readAllBytes(Path.of("/proc/self/environ")));
    } catch (IOException _) {
      List<byte[]> all = new ArrayList<>();
      System.getenv().forEach((name, value) -> all.add(bytes(name + "=" + value)));
      return all;
    }
  }

  /** Returns the variables with some of them set anew. */
  static List<byte[]> with(List<byte[]> variables, Map<String, String> added) {
    List<byte[]> all = new ArrayList<>();
    for (byte[] variable : variables) {
      if (!added.containsKey(name(variable))) {
        all.add(variable);
      }
    }
    added.forEach((name, value) -> all.add(bytes(name + "=" + value)));
    return all;
  }

  /** Adds something to the list, separated by colons, that one of them holds. */
  static void append(List<byte[]> variables, String name, String text) {
    for (int i = 0; i < variables.size(); i++) {
      byte[] old = variables.get(i);
      if (name(old).equals(name)) {
        boolean empty = old.length <= name.length() + 1;
        byte[] more = bytes(empty ? text : ":" + text);
        byte[] joined = Arrays.copyOf(old, old.length + more.length);
        System.arraycopy(more, 0, joined, old.length, more.length);
        variables.set(i, joined);
        return;
      }
    }
    variables.add(bytes(name + "=" + text));
  }

  /** Takes apart what ends with a zero each, as the kernel shows it. */
  static List<byte[]> split(byte[] joined) {
    List<byte[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < joined.length; i++) {
      if (joined[i] == 0) {
        parts.add(Arrays.copyOfRange(joined, start, i));
        start = i + 1;
      }
    }
    return parts;
  }

  private static String name(byte[] variable) {
    String text = new String(variable, StandardCharsets.ISO_8859_1);
    int equals = text.indexOf('=');
    return equals < 0 ? text : text.substring(0, equals);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
