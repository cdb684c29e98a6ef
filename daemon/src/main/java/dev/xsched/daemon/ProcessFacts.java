package dev.xsched.daemon;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel says of a process: /proc/PID/stat.
 *
 * @param startTicks when it started, in clock ticks after boot; 0 if nothing is known
 * @param stopped whether a signal or a debugger stopped it
 */
record ProcessFacts(String name, long startTicks, int nice, boolean stopped) {
  static final ProcessFacts UNKNOWN = new ProcessFacts("", 0, 0, false);

  // Positions after the name, which is in parentheses and may hold anything.
  private static final int STATE = 0;
  private static final int NICE = 16;
  private static final int START = 19;

  static ProcessFacts of(int pid) {
    if (pid <= 0) {
      return UNKNOWN;
    }
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/proc/" + pid + "/stat"));
      return parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (IOException e) {
      return UNKNOWN;
    }
  }

  static ProcessFacts parse(String stat) {
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    if (open < 0 || close < open) {
      return UNKNOWN;
    }
    String[] fields = stat.substring(close + 1).strip().split(" ", -1);
    if (fields.length <= START) {
      return UNKNOWN;
    }
    char state = fields[STATE].charAt(0);
    return new ProcessFacts(
        stat.substring(open + 1, close),
        Long.parseLong(fields[START]),
        Integer.parseInt(fields[NICE]),
        state == 'T' || state == 't');
  }
}
