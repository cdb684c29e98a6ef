package dev.xsched.cuda;

import dev.xsched.gpu.DeviceKey;
import dev.xsched.gpu.DriverDevice;
import dev.xsched.gpu.Handle;
import dev.xsched.gpu.Lazy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A device of CUDA in its primary context, which it shares with libraries in this program. */
public final class CudaDevice extends DriverDevice {
  private static final long PER_THREAD_STREAM = 2;

  private final Cuda cuda;
  private final int device;
  private final String name;
  private final String key;
  private final CudaContext context;
  private final Lazy<CudaSpinner> spinner;

  CudaDevice(Cuda cuda, int number) {
    this.cuda = cuda;
    this.device = cuda.device(number);
    this.name = cuda.deviceName(device);
    this.key = DeviceKey.ofUuid(cuda.deviceUuid(device));
    this.context = new CudaContext(cuda, cuda.retainPrimaryContext(device));
    this.spinner = new Lazy<>(() -> new CudaSpinner(cuda, device, load(CudaSpinner.PTX)));
  }

  /** Opens a device by its number, as CUDA counts them. */
  public static CudaDevice open(int number) {
    return new CudaProvider().open(Integer.toString(number));
  }

  @Override
  public String name() {
    return name + " (CUDA)";
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public CudaQueue newHwQueue() {
    MemorySegment stream = context.get(cuda::createStream);
    return new CudaQueue(context, keepInContext("the CUDA stream", stream, cuda::destroyStream));
  }

  /**
   * Takes a stream that exists, and leaves it to its owner when the result is closed. What the
   * program puts into it by itself is not scheduled.
   *
   * @param stream a CUstream of this device; NULL is the legacy default stream
   */
  public CudaQueue hwQueueOver(MemorySegment stream) {
    if (stream.address() == PER_THREAD_STREAM) {
      throw new IllegalArgumentException(
          "the per-thread default stream is another one on each thread; give a stream that was"
              + " created, or NULL for the legacy default stream");
    }
    CudaContext its = new CudaContext(cuda, context.get(() -> cuda.contextOf(stream)));
    return new CudaQueue(its, new Handle("the CUDA stream", stream, _ -> {}));
  }

  /**
   * Loads kernels.
   *
   * @param ptx their text, as {@code nvcc -ptx} writes it
   * @throws dev.xsched.queue.DeviceException with what the driver's compiler said, if it does not
   *     load
   */
  public CudaModule load(String ptx) {
    MemorySegment module = context.get(() -> cuda.loadModule(ptx));
    return new CudaModule(context, keepInContext("the module", module, cuda::unloadModule));
  }

  /** Makes a buffer that kernels may read and write. */
  public CudaBuffer newBuffer(long bytes) {
    MemorySegment memory = context.get(() -> cuda.allocate(bytes));
    return new CudaBuffer(
        cuda, keepInContext("a buffer of %d bytes".formatted(bytes), memory, cuda::free), bytes);
  }

  /**
   * Allocates memory of the host that the device reads and writes by itself.
   *
   * @param arena a shared or an automatic one; the memory is freed with it
   */
  public MemorySegment newHostMemory(long bytes, Arena arena) {
    // The memory may outlive this object, and needs the context to be freed in.
    CudaContext its = new CudaContext(cuda, cuda.retainPrimaryContext(device));
    MemorySegment memory;
    try {
      memory = its.get(() -> cuda.allocateHost(bytes));
    } catch (RuntimeException e) {
      cuda.releasePrimaryContext(device);
      throw e;
    }
    return memory.reinterpret(
        bytes,
        arena,
        segment -> {
          its.run(() -> cuda.freeHost(segment));
          cuda.releasePrimaryContext(device);
        });
  }

  /** Makes one command of many, which are not executed now and need not be submitted. */
  public CudaGraph capture(List<CudaCommand> commands) {
    MemorySegment executable = context.get(() -> captured(commands));
    return new CudaGraph(cuda, keepInContext("the graph", executable, cuda::destroyExecutable));
  }

  private MemorySegment captured(List<CudaCommand> commands) {
    MemorySegment stream = cuda.createStream();
    try {
      cuda.beginCapture(stream);
      try {
        commands.forEach(command -> command.enqueue(cuda, stream));
      } catch (RuntimeException e) {
        cuda.abandonCapture(stream);
        throw e;
      }
      MemorySegment graph = cuda.endCapture(stream);
      try {
        return cuda.instantiate(graph);
      } finally {
        cuda.destroyGraph(graph);
      }
    } finally {
      cuda.destroyStream(stream);
    }
  }

  /** A command that launches a graph of the program's own, a CUgraphExec. */
  public CudaCommand graphLaunch(MemorySegment executable) {
    return CudaCommand.of("cuGraphLaunch", stream -> cuda.launchGraph(executable, stream));
  }

  private Handle keepInContext(
      String what, MemorySegment address, Consumer<MemorySegment> releaser) {
    return keep(what, address, released -> context.run(() -> releaser.accept(released)));
  }

  @Override
  public CudaCommand delay(Duration time) {
    return spinner.get().spin(time.toNanos());
  }

  @Override
  protected void releaseContext() {
    cuda.releasePrimaryContext(device);
  }
}
