package dev.xsched.bench.run;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Held while something is measured: two at once would measure each other. */
public final class BenchLock implements AutoCloseable {
  private static final int MOST_BYTES = 32;

  private final FileChannel channel;

  private BenchLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Where all users of the machine look. */
  public static Path ofMachine() {
    return Path.of(System.getProperty("java.io.tmpdir"), "xsched-bench.lock");
  }

  /**
   * Takes the lock, which ends with the process at the latest.
   *
   * @throws IllegalStateException in one line that says who has it
   */
  public static BenchLock take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (lock(channel) == null) {
        String holder = read(channel);
        channel.close();
        throw new IllegalStateException(
            ("another bench is measuring on this machine%s; wait for it, or stop it: two at once"
                    + " would measure each other")
                .formatted(holder.isEmpty() ? "" : " (pid " + holder + ")"));
      }
      file.toFile().setWritable(true, false);
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(
              Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
      return new BenchLock(channel);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null; // In this very process.
    }
  }

  private static String read(FileChannel channel) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MOST_BYTES);
    channel.read(bytes, 0);
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
