package dev.xsched.bench.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long processors have worked for a process, or for nobody here, as the kernel counts it. */
final class ProcessorTime {
  /** USER_HZ, which is 100 on every Linux that has Java. */
  private static final double TICKS_PER_SECOND = 100;

  /** Fields after the name, which may have blanks and brackets. */
  private static final int USER = 11;

  private static final int SYSTEM = 12;

  /** In the first line of what is told of all processors. */
  private static final int STOLEN = 8;

  private ProcessorTime() {}

  static double seconds(long pid) throws IOException {
    return seconds(Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  /** What the host took from all processors of a virtual machine to do something else. */
  static double stolenSeconds() throws IOException {
    return stolenSeconds(Files.readString(Path.of("/proc/stat")));
  }

  static double stolenSeconds(String stat) {
    String[] fields = stat.lines().findFirst().orElse("").split(" +", -1);
    return fields.length > STOLEN ? Long.parseLong(fields[STOLEN]) / TICKS_PER_SECOND : 0;
  }

  static double seconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_PER_SECOND;
  }
}
