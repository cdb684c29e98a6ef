package dev.xsched.link;

import static dev.xsched.link.Layouts.BLOCK;
import static dev.xsched.link.Layouts.GPU;
import static dev.xsched.link.Layouts.GPUS;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.offset;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program's block as its own user can look at it from outside: what is in force on its GPUs at
 * this very moment, also where no daemon lives that could tell.
 */
public final class WatchedBlock {
  private static final String NAME = "/memfd:xsched-block";
  private static final long FIRST_GPU = offset(BLOCK, "gpu");
  private static final long SLICE_MICROS = offset(GPU, "slice_micros");
  private static final long SLICE_ORDER = offset(GPU, "slice_order");
  private static final long PRIORITY = offset(GPU, "priority");
  private static final long INTERRUPTED = offset(GPU, "interrupted");
  private static final long INTERRUPT_ORDER = offset(GPU, "interrupt_order");

  private static final long EARLY_TURNS = offset(GPU, "early_turns");

  private final MemorySegment memory;

  private WatchedBlock(MemorySegment memory) {
    this.memory = memory;
  }

  /** Finds that of a process; nothing if it has none, or is gone. */
  public static Optional<WatchedBlock> of(long pid) {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      Optional<Path> file = files.filter(WatchedBlock::isBlock).findFirst();
      return file.isEmpty() ? Optional.empty() : Optional.of(map(file.get()));
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static boolean isBlock(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith(NAME);
    } catch (IOException _) {
      return false; // It was closed meanwhile.
    }
  }

  static WatchedBlock map(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return new WatchedBlock(
          channel.map(FileChannel.MapMode.READ_ONLY, 0, BLOCK.byteSize(), Arena.ofAuto()));
    }
  }

  /** Whether a time slice other than the driver's is in force, or ordered. */
  public boolean sliced() {
    return anyGpu(
        gpu ->
            (long) LONG.getAcquire(memory, gpu + SLICE_MICROS) != 0
                || (long) LONG.getAcquire(memory, gpu + SLICE_ORDER) != 0);
  }

  /** Whether its running work is interrupted, or ordered to be. */
  public boolean interrupted() {
    return anyGpu(
        gpu ->
            (int) INT.getAcquire(memory, gpu + INTERRUPTED) != 0
                || (int) INT.getAcquire(memory, gpu + INTERRUPT_ORDER) != 0);
  }

  /** Whether a GPU has turned to it before its work came. */
  public boolean turnedEarly() {
    return anyGpu(gpu -> (long) LONG.getAcquire(memory, gpu + EARLY_TURNS) != 0);
  }

  /** Whether something that was ordered is still in force, by what the program says of itself. */
  public boolean obeys() {
    return anyGpu(
        gpu ->
            (long) LONG.getAcquire(memory, gpu + SLICE_MICROS) != 0
                || (int) INT.getAcquire(memory, gpu + PRIORITY) != 0
                || (int) INT.getAcquire(memory, gpu + INTERRUPTED) != 0);
  }

  private boolean anyGpu(LongPredicate test) {
    return IntStream.range(0, GPUS)
        .mapToLong(index -> FIRST_GPU + index * GPU.byteSize())
        .anyMatch(test);
  }
}
