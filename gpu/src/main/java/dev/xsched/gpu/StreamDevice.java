package dev.xsched.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/** A device of CUDA or HIP. */
public abstract class StreamDevice extends DriverDevice {
  private static final long PER_THREAD_STREAM = 2;

  private final StreamDriver driver;
  private final String name;
  private final String key;
  private final Current current;

  /**
   * Makes one.
   *
   * @param device as the driver knows it
   * @param key the same text for the same device in all programs
   */
  protected StreamDevice(StreamDriver driver, int device, String key, Current current) {
    this.driver = driver;
    this.name = driver.deviceName(device);
    this.key = key;
    this.current = current;
  }

  @Override
  public final String name() {
    return "%s (%s)".formatted(name, driver.platform());
  }

  @Override
  public final String key() {
    return key;
  }

  @Override
  public final StreamQueue newHwQueue() {
    MemorySegment stream = current.get(driver::createStream);
    return new StreamQueue(
        driver, current, keepInContext("the stream", stream, driver::destroyStream));
  }

  /**
   * Takes a stream that exists, and leaves it to its owner when the result is closed. What the
   * program puts into it by itself is not scheduled.
   *
   * @param stream of this device; NULL is the legacy default stream
   */
  public final StreamQueue hwQueueOver(MemorySegment stream) {
    if (stream.address() == PER_THREAD_STREAM) {
      throw new IllegalArgumentException(
          "the per-thread default stream is another one on each thread; give a stream that was"
              + " created, or NULL for the legacy default stream");
    }
    return new StreamQueue(driver, currentOf(stream), new Handle("the stream", stream, _ -> {}));
  }

  /** In which a stream of somebody else's lives. */
  protected abstract Current currentOf(MemorySegment stream);

  /** Takes ownership of kernels that the driver has loaded. */
  protected final StreamModule keepModule(MemorySegment module) {
    return new StreamModule(
        driver, current, keepInContext("the module", module, driver::unloadModule));
  }

  protected final Current current() {
    return current;
  }

  /** Makes a buffer that kernels may read and write. */
  public final StreamBuffer newBuffer(long bytes) {
    MemorySegment memory = current.get(() -> driver.allocate(bytes));
    return new StreamBuffer(
        driver,
        keepInContext("a buffer of %d bytes".formatted(bytes), memory, driver::free),
        bytes);
  }

  /**
   * Allocates memory of the host that the device reads and writes by itself.
   *
   * @param arena a shared or an automatic one; the memory is freed with it
   */
  public final MemorySegment newHostMemory(long bytes, Arena arena) {
    // The memory may outlive this object, and needs the context to be freed in.
    Current its = retain();
    MemorySegment memory;
    try {
      memory = its.get(() -> driver.allocateHost(bytes));
    } catch (RuntimeException e) {
      release();
      throw e;
    }
    return memory.reinterpret(
        bytes,
        arena,
        segment -> {
          its.run(() -> driver.freeHost(segment));
          release();
        });
  }

  /** Keeps the device's context beyond this object, until it is released. */
  protected abstract Current retain();

  protected abstract void release();

  /** Makes one command of many, which are not executed now and need not be submitted. */
  public final StreamGraph capture(List<StreamCommand> commands) {
    MemorySegment executable = current.get(() -> captured(commands));
    return new StreamGraph(
        driver, keepInContext("the graph", executable, driver::destroyExecutable));
  }

  private MemorySegment captured(List<StreamCommand> commands) {
    MemorySegment stream = driver.createStream();
    try {
      driver.beginCapture(stream);
      try {
        commands.forEach(command -> command.enqueue(driver, stream));
      } catch (RuntimeException e) {
        driver.abandonCapture(stream);
        throw e;
      }
      MemorySegment graph = driver.endCapture(stream);
      try {
        return driver.instantiate(graph);
      } finally {
        driver.destroyGraph(graph);
      }
    } finally {
      driver.destroyStream(stream);
    }
  }

  /** A command that launches a graph of the program's own, which is executable. */
  public final StreamCommand graphLaunch(MemorySegment executable) {
    return StreamCommand.of(
        driver.name("GraphLaunch"), stream -> driver.launchGraph(executable, stream));
  }

  private Handle keepInContext(
      String what, MemorySegment address, Consumer<MemorySegment> releaser) {
    return keep(what, address, released -> current.run(() -> releaser.accept(released)));
  }

  @Override
  protected final void releaseContext() {
    release();
  }
}
