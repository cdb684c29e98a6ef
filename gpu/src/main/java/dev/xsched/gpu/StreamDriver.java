package dev.xsched.gpu;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;

/**
 * The functions that CUDA's driver library and HIP both have, with the same parameters and by other
 * names. Those that put something into a stream return the driver's code, all others check it.
 *
 * <p>A device pointer is 8 bytes, as an address is, and taken for one here.
 */
public abstract class StreamDriver extends Driver {
  private static final int NO_DEVICE = 100;
  private static final int NON_BLOCKING_STREAM = 1;
  private static final int EVENT_BLOCKING_SYNC = 1;
  private static final int EVENT_DISABLE_TIMING = 2;
  private static final int PORTABLE_HOST_MEMORY = 1;
  private static final int CAPTURE_RELAXED = 2;
  private static final int NAME_BYTES = 256;
  private static final int UUID_BYTES = 16;

  private final FunctionNames names;
  private final DriverErrors errors;
  private final MethodHandle init;
  private final MethodHandle deviceGetCount;
  private final MethodHandle deviceGet;
  private final MethodHandle deviceGetName;
  private final MethodHandle deviceGetAttribute;
  private final MethodHandle streamCreate;
  private final MethodHandle streamDestroy;
  private final MethodHandle streamBeginCapture;
  private final MethodHandle streamEndCapture;
  private final MethodHandle eventCreate;
  private final MethodHandle eventRecord;
  private final MethodHandle eventSynchronize;
  private final MethodHandle eventDestroy;
  private final MethodHandle moduleGetFunction;
  private final MethodHandle moduleUnload;
  private final MethodHandle launchKernel;
  private final MethodHandle memAlloc;
  private final MethodHandle memFree;
  private final MethodHandle memHostAlloc;
  private final MethodHandle memFreeHost;
  private final MethodHandle memcpyHtoDAsync;
  private final MethodHandle memcpyDtoHAsync;
  private final MethodHandle memcpyDtoDAsync;
  private final MethodHandle memsetD8Async;
  private final MethodHandle graphInstantiate;
  private final MethodHandle graphLaunch;
  private final MethodHandle graphDestroy;
  private final MethodHandle graphExecDestroy;

  protected StreamDriver(NativeLibrary library, FunctionNames names, DriverErrors errors) {
    this.names = names;
    this.errors = errors;
    init = library.function(names.inLibrary("Init"), JAVA_INT);
    deviceGetCount = library.function(names.inLibrary("DeviceGetCount"), ADDRESS);
    deviceGet = library.function(names.inLibrary("DeviceGet"), ADDRESS, JAVA_INT);
    deviceGetName = library.function(names.inLibrary("DeviceGetName"), ADDRESS, JAVA_INT, JAVA_INT);
    deviceGetAttribute =
        library.function(names.inLibrary("DeviceGetAttribute"), ADDRESS, JAVA_INT, JAVA_INT);
    streamCreate = library.function(names.inLibrary("StreamCreate"), ADDRESS, JAVA_INT);
    streamDestroy = library.function(names.inLibrary("StreamDestroy"), ADDRESS);
    streamBeginCapture = library.function(names.inLibrary("StreamBeginCapture"), ADDRESS, JAVA_INT);
    streamEndCapture = library.function(names.inLibrary("StreamEndCapture"), ADDRESS, ADDRESS);
    eventCreate = library.function(names.inLibrary("EventCreate"), ADDRESS, JAVA_INT);
    eventRecord = library.function(names.inLibrary("EventRecord"), ADDRESS, ADDRESS);
    eventSynchronize = library.function(names.inLibrary("EventSynchronize"), ADDRESS);
    eventDestroy = library.function(names.inLibrary("EventDestroy"), ADDRESS);
    moduleGetFunction =
        library.function(names.inLibrary("ModuleGetFunction"), ADDRESS, ADDRESS, ADDRESS);
    moduleUnload = library.function(names.inLibrary("ModuleUnload"), ADDRESS);
    launchKernel =
        library.function(
            names.inLibrary("LaunchKernel"),
            ADDRESS,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS);
    memAlloc = library.function(names.inLibrary("MemAlloc"), ADDRESS, JAVA_LONG);
    memFree = library.function(names.inLibrary("MemFree"), ADDRESS);
    memHostAlloc = library.function(names.inLibrary("MemHostAlloc"), ADDRESS, JAVA_LONG, JAVA_INT);
    memFreeHost = library.function(names.inLibrary("MemFreeHost"), ADDRESS);
    memcpyHtoDAsync = copy(library, "MemcpyHtoDAsync");
    memcpyDtoHAsync = copy(library, "MemcpyDtoHAsync");
    memcpyDtoDAsync = copy(library, "MemcpyDtoDAsync");
    memsetD8Async =
        library.function(names.inLibrary("MemsetD8Async"), ADDRESS, JAVA_BYTE, JAVA_LONG, ADDRESS);
    graphInstantiate =
        library.function(names.inLibrary("GraphInstantiateWithFlags"), ADDRESS, ADDRESS, JAVA_LONG);
    graphLaunch = library.function(names.inLibrary("GraphLaunch"), ADDRESS, ADDRESS);
    graphDestroy = library.function(names.inLibrary("GraphDestroy"), ADDRESS);
    graphExecDestroy = library.function(names.inLibrary("GraphExecDestroy"), ADDRESS);
  }

  private MethodHandle copy(NativeLibrary library, String usual) {
    return library.function(names.inLibrary(usual), ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  }

  /** What programs call one of these functions, for messages. */
  final String name(String usual) {
    return names.inPrograms(usual);
  }

  /** Must come first, and once. */
  protected final void start() {
    check(name("Init"), () -> (int) init.invokeExact(0));
  }

  /** How many devices there are; also where the driver calls none an error. */
  public final int deviceCount() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int code = call(() -> (int) deviceGetCount.invokeExact(count));
      if (code == NO_DEVICE) {
        return 0;
      }
      check(name("DeviceGetCount"), code);
      return count.get(JAVA_INT, 0);
    }
  }

  public final int device(int number) {
    return integer(name("DeviceGet"), out -> (int) deviceGet.invokeExact(out, number));
  }

  public final String deviceName(int device) {
    return text(
        name("DeviceGetName"), out -> (int) deviceGetName.invokeExact(out, NAME_BYTES, device));
  }

  /** A text that the driver writes where it is told. */
  protected final String text(String what, Getter getter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(NAME_BYTES);
      check(what, () -> getter.get(out));
      return out.getString(0);
    }
  }

  /** The 16 bytes by which a device is told from all others. */
  protected final byte[] uuid(String what, Getter getter) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(UUID_BYTES);
      check(what, () -> getter.get(out));
      return out.toArray(JAVA_BYTE);
    }
  }

  protected final int deviceAttribute(int device, int attribute) {
    return integer(
        name("DeviceGetAttribute"),
        out -> (int) deviceGetAttribute.invokeExact(out, attribute, device));
  }

  public abstract int multiprocessors(int device);

  public abstract int threadsOfABlock(int device);

  public abstract int threadsOfAMultiprocessor(int device);

  /** A stream that does not wait for the legacy default stream, nor that for it. */
  MemorySegment createStream() {
    return made(
        name("StreamCreate"), out -> (int) streamCreate.invokeExact(out, NON_BLOCKING_STREAM));
  }

  void destroyStream(MemorySegment stream) {
    check(name("StreamDestroy"), () -> (int) streamDestroy.invokeExact(stream));
  }

  /** Whoever waits for such an event sleeps, and does not spin. */
  MemorySegment createEvent() {
    int flags = EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING;
    return made(name("EventCreate"), out -> (int) eventCreate.invokeExact(out, flags));
  }

  void record(MemorySegment event, MemorySegment stream) {
    check(name("EventRecord"), () -> (int) eventRecord.invokeExact(event, stream));
  }

  void waitFor(MemorySegment event) {
    check("waiting for a command", () -> (int) eventSynchronize.invokeExact(event));
  }

  void destroyEvent(MemorySegment event) {
    check(name("EventDestroy"), () -> (int) eventDestroy.invokeExact(event));
  }

  MemorySegment function(MemorySegment module, String kernel) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(kernel);
      return made(
          "%s for '%s'".formatted(name("ModuleGetFunction"), kernel),
          out -> (int) moduleGetFunction.invokeExact(out, module, text));
    }
  }

  /** Returns the sizes of a kernel's parameters; empty where the driver cannot tell. */
  protected Optional<List<Long>> parameterSizes(MemorySegment function) {
    return Optional.empty();
  }

  void unloadModule(MemorySegment module) {
    check(name("ModuleUnload"), () -> (int) moduleUnload.invokeExact(module));
  }

  int launchKernel(
      MemorySegment function, Grid grid, MemorySegment stream, MemorySegment parameters) {
    return call(
        () ->
            (int)
                launchKernel.invokeExact(
                    function,
                    grid.blocksX(),
                    grid.blocksY(),
                    grid.blocksZ(),
                    grid.threadsX(),
                    grid.threadsY(),
                    grid.threadsZ(),
                    grid.sharedBytes(),
                    stream,
                    parameters,
                    NULL));
  }

  MemorySegment allocate(long bytes) {
    return made(
        "%s of %d bytes".formatted(name("MemAlloc"), bytes),
        out -> (int) memAlloc.invokeExact(out, bytes));
  }

  void free(MemorySegment memory) {
    check(name("MemFree"), () -> (int) memFree.invokeExact(memory));
  }

  MemorySegment allocateHost(long bytes) {
    return made(
        "%s of %d bytes".formatted(name("MemHostAlloc"), bytes),
        out -> (int) memHostAlloc.invokeExact(out, bytes, PORTABLE_HOST_MEMORY));
  }

  void freeHost(MemorySegment memory) {
    check(name("MemFreeHost"), () -> (int) memFreeHost.invokeExact(memory));
  }

  int copyToDevice(MemorySegment to, MemorySegment from, MemorySegment stream) {
    long bytes = from.byteSize();
    return call(() -> (int) memcpyHtoDAsync.invokeExact(to, from, bytes, stream));
  }

  int copyToHost(MemorySegment to, MemorySegment from, MemorySegment stream) {
    long bytes = to.byteSize();
    return call(() -> (int) memcpyDtoHAsync.invokeExact(to, from, bytes, stream));
  }

  int copyOnDevice(MemorySegment to, MemorySegment from, long bytes, MemorySegment stream) {
    return call(() -> (int) memcpyDtoDAsync.invokeExact(to, from, bytes, stream));
  }

  int fill(MemorySegment memory, byte value, long bytes, MemorySegment stream) {
    return call(() -> (int) memsetD8Async.invokeExact(memory, value, bytes, stream));
  }

  /** Has the stream remember what is put into it. Other threads are not kept from anything. */
  void beginCapture(MemorySegment stream) {
    check(
        name("StreamBeginCapture"),
        () -> (int) streamBeginCapture.invokeExact(stream, CAPTURE_RELAXED));
  }

  MemorySegment endCapture(MemorySegment stream) {
    return made(name("StreamEndCapture"), out -> (int) streamEndCapture.invokeExact(stream, out));
  }

  /** Ends a capture of which nothing is wanted; it may be invalid already. */
  void abandonCapture(MemorySegment stream) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      int _ = call(() -> (int) streamEndCapture.invokeExact(stream, out));
      if (!out.get(ADDRESS, 0).equals(NULL)) {
        destroyGraph(out.get(ADDRESS, 0));
      }
    }
  }

  MemorySegment instantiate(MemorySegment graph) {
    return made(
        name("GraphInstantiateWithFlags"),
        out -> (int) graphInstantiate.invokeExact(out, graph, 0L));
  }

  int launchGraph(MemorySegment executable, MemorySegment stream) {
    return call(() -> (int) graphLaunch.invokeExact(executable, stream));
  }

  void destroyGraph(MemorySegment graph) {
    check(name("GraphDestroy"), () -> (int) graphDestroy.invokeExact(graph));
  }

  void destroyExecutable(MemorySegment executable) {
    check(name("GraphExecDestroy"), () -> (int) graphExecDestroy.invokeExact(executable));
  }

  /** What programs call the platform, for messages: "CUDA". */
  public abstract String platform();

  @Override
  protected final void check(String what, int code) {
    errors.check(what, code);
  }
}
