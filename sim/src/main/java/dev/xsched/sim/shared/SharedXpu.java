package dev.xsched.sim.shared;

import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A device that exists only as a file which all processes that use it have mapped. It executes one
 * command at a time, in the order of launching, whoever launches. For tests and experiments between
 * processes, in Java and in C.
 */
public final class SharedXpu implements Device {
  /** Room for a name in the control block, with the zero at its end. */
  private static final int NAME_BYTES = 64;

  private final String name;
  private final SharedFile file;
  private final ThreadSyncer syncer = new ThreadSyncer();
  private final AtomicInteger queues = new AtomicInteger();

  private SharedXpu(String name, SharedFile file) {
    this.name = name;
    this.file = file;
  }

  /**
   * Opens the device at a path, making it if nobody has.
   *
   * @throws IllegalArgumentException if the path is too long, or names something else
   */
  public static SharedXpu open(Path path) {
    try {
      SharedFile file = new SharedFile(path);
      String name = "shared:" + path.toRealPath();
      if (name.getBytes(StandardCharsets.UTF_8).length >= NAME_BYTES) {
        file.close();
        throw new IllegalArgumentException(
            "the path '%s' is too long; take one of at most 56 bytes".formatted(path));
      }
      return new SharedXpu(name, file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open the device '%s'".formatted(path), e);
    }
  }

  /** The same text in every process that uses it: {@code shared:} and the file's real path. */
  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public HwQueue newHwQueue() {
    return new SharedQueue(file, queues.getAndIncrement());
  }

  @Override
  public Syncer syncer() {
    return syncer;
  }

  @Override
  public Command delay(Duration time) {
    return new SharedCommand(Math.max(1, time.toNanos()));
  }

  /** What it executed last, for whom and when; some 65,000 commands back. */
  public List<SharedRun> runs() {
    return file.runs();
  }

  /** Time of all commands so far, of all processes. */
  public long busyNanos() {
    return file.busyNanos();
  }

  /** Commands so far, of all processes. */
  public long launches() {
    return file.launches();
  }

  @Override
  public void close() {
    syncer.close();
    file.close();
  }
}
