package dev.xsched.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/** A kernel of a module. Commands of it may go to any queue of its device, at the same time. */
public final class StreamKernel {
  private final StreamDriver driver;
  private final String name;
  private final Handle module;
  private final MemorySegment function;
  private final Optional<List<Long>> parameterSizes;

  StreamKernel(StreamDriver driver, String name, Handle module, MemorySegment function) {
    this.driver = driver;
    this.name = name;
    this.module = module;
    this.function = function;
    this.parameterSizes = driver.parameterSizes(function);
  }

  /**
   * A command that runs the kernel.
   *
   * @param arguments one for each of its parameters: a {@link StreamBuffer} for a pointer, an
   *     Integer for an int, and so on; a native MemorySegment for a struct. HIP, and CUDA before
   *     12.4, cannot tell what a kernel wants, and wrong arguments are not noticed there.
   */
  public StreamCommand over(Grid grid, Object... arguments) {
    Arguments given = new Arguments(name, arguments);
    parameterSizes.ifPresent(sizes -> check(sizes, given.sizes()));
    return StreamCommand.of(
        "kernel '%s'".formatted(name),
        stream -> given.use((values, arena) -> launch(grid, stream, values, arena)));
  }

  private void check(List<Long> wanted, List<Long> given) {
    if (!wanted.equals(given)) {
      throw new IllegalArgumentException(
          "kernel '%s' has parameters of %s bytes and was given arguments of %s bytes"
              .formatted(name, wanted, given));
    }
  }

  private int launch(Grid grid, MemorySegment stream, List<MemorySegment> values, Arena arena) {
    MemorySegment parameters = arena.allocate(ValueLayout.ADDRESS, Math.max(1, values.size()));
    for (int i = 0; i < values.size(); i++) {
      parameters.setAtIndex(ValueLayout.ADDRESS, i, values.get(i));
    }
    return module.get(_ -> driver.launchKernel(function, grid, stream, parameters));
  }
}
