package dev.xsched.bench.kills;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What a program shows of itself in a small file, as native/bench/checked/pulse.h says. It can be
 * read after the program's end, too.
 */
final class Pulse {
  private static final long SIZE = 64;
  private static final long CHECKED = 0;
  private static final long WRONG = 8;
  private static final long BEAT = 16;
  private static final long LONGEST = 24;
  private static final long BURSTING = 32;
  private static final long EXPECTED = 40;
  private static final long FOUND = 48;
  private static final long PAUSED = 56;
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final Path file;
  private final MemorySegment memory;

  private Pulse(Path file, MemorySegment memory) {
    this.file = file;
    this.memory = memory;
  }

  /** Makes the file, for a program that is to be started. */
  static Pulse create(Path file) throws IOException {
    Files.write(file, new byte[(int) SIZE]);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return new Pulse(file, channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE, Arena.ofAuto()));
    }
  }

  Path file() {
    return file;
  }

  private long get(long offset) {
    return (long) LONG.getAcquire(memory, offset);
  }

  /** Results that were compared with what they must be. */
  long checked() {
    return get(CHECKED);
  }

  long wrong() {
    return get(WRONG);
  }

  boolean started() {
    return get(BEAT) != 0;
  }

  /** When it last got on, or while it rests, when that will end, by System.nanoTime. */
  long beat() {
    return get(BEAT);
  }

  boolean bursting() {
    return get(BURSTING) != 0;
  }

  /** The longest so far that it did not get on although it had work, until now. */
  long longestStallNanos(long nowNanos) {
    return Math.max(get(LONGEST), stallNanos(nowNanos));
  }

  /** For how long it has not got on; 0 while it starts or rests. */
  long stallNanos(long nowNanos) {
    long beat = get(BEAT);
    return beat == 0 ? 0 : Math.max(0, nowNanos - beat);
  }

  /** Has it leave the device alone, or do all that it has. */
  void pause(boolean paused) {
    LONG.setRelease(memory, PAUSED, paused ? 1L : 0L);
  }

  /** The first wrong result, in words. */
  String firstWrong() {
    return "0x%x instead of 0x%x".formatted(get(FOUND), get(EXPECTED));
  }
}
