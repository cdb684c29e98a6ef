package dev.xsched.bench.worker;

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
 * By which a worker's share of the device is bounded while it plays: 16 bytes that both have
 * mapped. The first 8 are how many requests it has done, which the worker writes; the second 8 what
 * share of the device it may have, in millionths, which we write. The worker keeps a token bucket:
 * a request costs the time from its begin to its end, tokens come at the share, at most 100 ms of
 * them are kept, and no request begins while there are less than none.
 */
final class ThrottleFile implements AutoCloseable {
  private static final int BYTES = 16;
  private static final int DONE = 0;
  private static final int SHARE = 8;
  private static final double MILLIONTHS_PER_PERCENT = 10_000;
  private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

  private final Path file;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory;

  ThrottleFile(Path file) throws IOException {
    this.file = file;
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
    }
    WORD.setRelease(memory, (long) DONE, 0L);
    setPercent(100);
  }

  Path file() {
    return file;
  }

  long done() {
    return (long) WORD.getAcquire(memory, (long) DONE);
  }

  void setPercent(double percent) {
    WORD.setRelease(memory, (long) SHARE, Math.round(MILLIONTHS_PER_PERCENT * percent));
  }

  @Override
  public void close() throws IOException {
    arena.close();
    Files.deleteIfExists(file);
  }
}
