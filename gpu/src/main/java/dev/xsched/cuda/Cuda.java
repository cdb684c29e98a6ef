package dev.xsched.cuda;

import static java.lang.foreign.MemorySegment.NULL;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.xsched.gpu.Driver;
import dev.xsched.gpu.NativeLibrary;
import dev.xsched.queue.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The functions of CUDA's driver library that we use. Those that put something into a stream return
 * CUDA's code, all others check it. The names are those of the library: where its header maps a
 * name to a newer version of the function, the newer one is meant.
 *
 * <p>A CUdeviceptr is 8 bytes, as an address is, and taken for one here.
 */
final class Cuda extends Driver {
  static final String VARIABLE = "XSCHED_CUDA_LIB";

  static final int MAX_THREADS_PER_BLOCK = 1;
  static final int MULTIPROCESSORS = 16;
  static final int MAX_THREADS_PER_MULTIPROCESSOR = 39;

  private static final int NO_DEVICE = 100;
  private static final int NON_BLOCKING_STREAM = 1;
  private static final int EVENT_BLOCKING_SYNC = 1;
  private static final int EVENT_DISABLE_TIMING = 2;
  private static final int PORTABLE_HOST_MEMORY = 1;
  private static final int CAPTURE_RELAXED = 2;
  private static final int JIT_ERROR_LOG = 5;
  private static final int JIT_ERROR_LOG_SIZE = 6;
  private static final int LOG_BYTES = 16_384;
  private static final int NAME_BYTES = 256;
  private static final int UUID_BYTES = 16;

  private final MethodHandle init;
  private final CudaErrors errors;
  private final MethodHandle deviceGetCount;
  private final MethodHandle deviceGet;
  private final MethodHandle deviceGetName;
  private final MethodHandle deviceGetUuid;
  private final MethodHandle deviceGetAttribute;
  private final MethodHandle primaryCtxRetain;
  private final MethodHandle primaryCtxRelease;
  private final MethodHandle ctxPushCurrent;
  private final MethodHandle ctxPopCurrent;
  private final MethodHandle streamCreate;
  private final MethodHandle streamGetCtx;
  private final MethodHandle streamDestroy;
  private final MethodHandle streamBeginCapture;
  private final MethodHandle streamEndCapture;
  private final MethodHandle eventCreate;
  private final MethodHandle eventRecord;
  private final MethodHandle eventSynchronize;
  private final MethodHandle eventDestroy;
  private final MethodHandle moduleLoadDataEx;
  private final MethodHandle moduleGetFunction;
  private final MethodHandle moduleUnload;
  private final Optional<MethodHandle> funcGetParamInfo;
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

  private Cuda(NativeLibrary library) {
    init = library.function("cuInit", JAVA_INT);
    errors = new CudaErrors(library);
    deviceGetCount = library.function("cuDeviceGetCount", ADDRESS);
    deviceGet = library.function("cuDeviceGet", ADDRESS, JAVA_INT);
    deviceGetName = library.function("cuDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
    deviceGetUuid = library.function("cuDeviceGetUuid", ADDRESS, JAVA_INT);
    deviceGetAttribute = library.function("cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
    primaryCtxRetain = library.function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    primaryCtxRelease = library.function("cuDevicePrimaryCtxRelease_v2", JAVA_INT);
    ctxPushCurrent = library.function("cuCtxPushCurrent_v2", ADDRESS);
    ctxPopCurrent = library.function("cuCtxPopCurrent_v2", ADDRESS);
    streamCreate = library.function("cuStreamCreate", ADDRESS, JAVA_INT);
    streamGetCtx = library.function("cuStreamGetCtx", ADDRESS, ADDRESS);
    streamDestroy = library.function("cuStreamDestroy_v2", ADDRESS);
    streamBeginCapture = library.function("cuStreamBeginCapture_v2", ADDRESS, JAVA_INT);
    streamEndCapture = library.function("cuStreamEndCapture", ADDRESS, ADDRESS);
    eventCreate = library.function("cuEventCreate", ADDRESS, JAVA_INT);
    eventRecord = library.function("cuEventRecord", ADDRESS, ADDRESS);
    eventSynchronize = library.function("cuEventSynchronize", ADDRESS);
    eventDestroy = library.function("cuEventDestroy_v2", ADDRESS);
    moduleLoadDataEx =
        library.function("cuModuleLoadDataEx", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    moduleGetFunction = library.function("cuModuleGetFunction", ADDRESS, ADDRESS, ADDRESS);
    moduleUnload = library.function("cuModuleUnload", ADDRESS);
    funcGetParamInfo = // since CUDA 12.4
        library.find(
            "cuFuncGetParamInfo",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
    launchKernel =
        library.function(
            "cuLaunchKernel",
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
    memAlloc = library.function("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    memFree = library.function("cuMemFree_v2", ADDRESS);
    memHostAlloc = library.function("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    memFreeHost = library.function("cuMemFreeHost", ADDRESS);
    memcpyHtoDAsync = copy(library, "cuMemcpyHtoDAsync_v2");
    memcpyDtoHAsync = copy(library, "cuMemcpyDtoHAsync_v2");
    memcpyDtoDAsync = copy(library, "cuMemcpyDtoDAsync_v2");
    memsetD8Async = library.function("cuMemsetD8Async", ADDRESS, JAVA_BYTE, JAVA_LONG, ADDRESS);
    graphInstantiate = library.function("cuGraphInstantiateWithFlags", ADDRESS, ADDRESS, JAVA_LONG);
    graphLaunch = library.function("cuGraphLaunch", ADDRESS, ADDRESS);
    graphDestroy = library.function("cuGraphDestroy", ADDRESS);
    graphExecDestroy = library.function("cuGraphExecDestroy", ADDRESS);
  }

  private static MethodHandle copy(NativeLibrary library, String name) {
    return library.function(name, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
  }

  /** The library's name: what the environment says, else the usual one. */
  static String usualLibrary() {
    return NativeLibrary.named(VARIABLE, "libcuda.so.1");
  }

  /**
   * Loads CUDA and starts it.
   *
   * @throws DeviceException if it is not there, or finds no device
   */
  static Cuda load(String library) {
    Cuda cuda =
        new Cuda(
            NativeLibrary.load(
                library,
                "install NVIDIA's driver, or hand its libraries into the container, or name the"
                    + " library in "
                    + VARIABLE));
    cuda.check("cuInit", () -> (int) cuda.init.invokeExact(0));
    return cuda;
  }

  int deviceCount() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment count = arena.allocate(JAVA_INT);
      int code = call(() -> (int) deviceGetCount.invokeExact(count));
      if (code == NO_DEVICE) {
        return 0;
      }
      check("cuDeviceGetCount", code);
      return count.get(JAVA_INT, 0);
    }
  }

  int device(int number) {
    return integer("cuDeviceGet", out -> (int) deviceGet.invokeExact(out, number));
  }

  String deviceName(int device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(NAME_BYTES);
      check("cuDeviceGetName", () -> (int) deviceGetName.invokeExact(name, NAME_BYTES, device));
      return name.getString(0);
    }
  }

  byte[] deviceUuid(int device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment uuid = arena.allocate(UUID_BYTES);
      check("cuDeviceGetUuid", () -> (int) deviceGetUuid.invokeExact(uuid, device));
      return uuid.toArray(JAVA_BYTE);
    }
  }

  int deviceAttribute(int device, int attribute) {
    return integer(
        "cuDeviceGetAttribute",
        out -> (int) deviceGetAttribute.invokeExact(out, attribute, device));
  }

  MemorySegment retainPrimaryContext(int device) {
    return made("cuDevicePrimaryCtxRetain", out -> (int) primaryCtxRetain.invokeExact(out, device));
  }

  void releasePrimaryContext(int device) {
    check("cuDevicePrimaryCtxRelease", () -> (int) primaryCtxRelease.invokeExact(device));
  }

  void pushContext(MemorySegment context) {
    check("cuCtxPushCurrent", () -> (int) ctxPushCurrent.invokeExact(context));
  }

  void popContext() {
    made("cuCtxPopCurrent", out -> (int) ctxPopCurrent.invokeExact(out));
  }

  /** A stream that does not wait for the legacy default stream, nor that for it. */
  MemorySegment createStream() {
    return made("cuStreamCreate", out -> (int) streamCreate.invokeExact(out, NON_BLOCKING_STREAM));
  }

  MemorySegment contextOf(MemorySegment stream) {
    return made("cuStreamGetCtx", out -> (int) streamGetCtx.invokeExact(stream, out));
  }

  void destroyStream(MemorySegment stream) {
    check("cuStreamDestroy", () -> (int) streamDestroy.invokeExact(stream));
  }

  /** Whoever waits for such an event sleeps, and does not spin. */
  MemorySegment createEvent() {
    int flags = EVENT_BLOCKING_SYNC | EVENT_DISABLE_TIMING;
    return made("cuEventCreate", out -> (int) eventCreate.invokeExact(out, flags));
  }

  void record(MemorySegment event, MemorySegment stream) {
    check("cuEventRecord", () -> (int) eventRecord.invokeExact(event, stream));
  }

  void waitFor(MemorySegment event) {
    check("waiting for a command", () -> (int) eventSynchronize.invokeExact(event));
  }

  void destroyEvent(MemorySegment event) {
    check("cuEventDestroy", () -> (int) eventDestroy.invokeExact(event));
  }

  /** Throws with what the compiler said. */
  MemorySegment loadModule(String ptx) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      MemorySegment image = arena.allocateFrom(ptx);
      MemorySegment log = arena.allocate(LOG_BYTES);
      MemorySegment options = arena.allocateFrom(JAVA_INT, JIT_ERROR_LOG, JIT_ERROR_LOG_SIZE);
      MemorySegment values = arena.allocate(ADDRESS, 2);
      values.setAtIndex(ADDRESS, 0, log);
      values.setAtIndex(JAVA_LONG, 1, LOG_BYTES); // the number itself, in place of an address
      int code = call(() -> (int) moduleLoadDataEx.invokeExact(out, image, 2, options, values));
      if (code != 0) {
        throw new DeviceException(
            "the PTX does not load (%s):%n%s"
                .formatted(errors.name(code), log.getString(0).strip()));
      }
      return out.get(ADDRESS, 0);
    }
  }

  MemorySegment function(MemorySegment module, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      return made(
          "cuModuleGetFunction for '%s'".formatted(name),
          out -> (int) moduleGetFunction.invokeExact(out, module, text));
    }
  }

  /** Returns the sizes of a kernel's parameters; empty where the driver is too old to tell. */
  Optional<List<Long>> parameterSizes(MemorySegment function) {
    return funcGetParamInfo.map(info -> parameterSizes(info, function));
  }

  private static List<Long> parameterSizes(MethodHandle info, MemorySegment function) {
    List<Long> sizes = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment offset = arena.allocate(JAVA_LONG);
      MemorySegment size = arena.allocate(JAVA_LONG);
      // It answers with an error where there are no more of them.
      while (call(() -> (int) info.invokeExact(function, (long) sizes.size(), offset, size)) == 0) {
        sizes.add(size.get(JAVA_LONG, 0));
      }
    }
    return sizes;
  }

  void unloadModule(MemorySegment module) {
    check("cuModuleUnload", () -> (int) moduleUnload.invokeExact(module));
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
        "cuMemAlloc of %d bytes".formatted(bytes), out -> (int) memAlloc.invokeExact(out, bytes));
  }

  void free(MemorySegment memory) {
    check("cuMemFree", () -> (int) memFree.invokeExact(memory));
  }

  MemorySegment allocateHost(long bytes) {
    return made(
        "cuMemHostAlloc of %d bytes".formatted(bytes),
        out -> (int) memHostAlloc.invokeExact(out, bytes, PORTABLE_HOST_MEMORY));
  }

  void freeHost(MemorySegment memory) {
    check("cuMemFreeHost", () -> (int) memFreeHost.invokeExact(memory));
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
        "cuStreamBeginCapture",
        () -> (int) streamBeginCapture.invokeExact(stream, CAPTURE_RELAXED));
  }

  MemorySegment endCapture(MemorySegment stream) {
    return made("cuStreamEndCapture", out -> (int) streamEndCapture.invokeExact(stream, out));
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
    return made("cuGraphInstantiate", out -> (int) graphInstantiate.invokeExact(out, graph, 0L));
  }

  int launchGraph(MemorySegment executable, MemorySegment stream) {
    return call(() -> (int) graphLaunch.invokeExact(executable, stream));
  }

  void destroyGraph(MemorySegment graph) {
    check("cuGraphDestroy", () -> (int) graphDestroy.invokeExact(graph));
  }

  void destroyExecutable(MemorySegment executable) {
    check("cuGraphExecDestroy", () -> (int) graphExecDestroy.invokeExact(executable));
  }

  @Override
  protected void check(String what, int code) {
    errors.check(what, code);
  }
}
