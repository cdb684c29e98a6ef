package dev.xsched.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.xsched.gpu.FunctionNames;
import dev.xsched.gpu.NativeLibrary;
import dev.xsched.gpu.StreamDriver;
import dev.xsched.queue.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * CUDA's driver library. The names are those of the library: where its header maps a name to a
 * newer version of the function, the newer one is meant.
 */
final class Cuda extends StreamDriver {
  static final String VARIABLE = "XSCHED_CUDA_LIB";

  private static final FunctionNames NAMES =
      new FunctionNames(
          "cu",
          Map.of(
              "StreamDestroy", "cuStreamDestroy_v2",
              "StreamBeginCapture", "cuStreamBeginCapture_v2",
              "EventDestroy", "cuEventDestroy_v2",
              "MemAlloc", "cuMemAlloc_v2",
              "MemFree", "cuMemFree_v2",
              "MemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2",
              "MemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2",
              "MemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2"));

  private static final int MAX_THREADS_PER_BLOCK = 1;
  private static final int MULTIPROCESSORS = 16;
  private static final int MAX_THREADS_PER_MULTIPROCESSOR = 39;
  private static final int JIT_ERROR_LOG = 5;
  private static final int JIT_ERROR_LOG_SIZE = 6;
  private static final int LOG_BYTES = 16_384;

  private final CudaErrors errors;
  private final MethodHandle deviceGetUuid;
  private final MethodHandle primaryCtxRetain;
  private final MethodHandle primaryCtxRelease;
  private final MethodHandle ctxPushCurrent;
  private final MethodHandle ctxPopCurrent;
  private final MethodHandle streamGetCtx;
  private final MethodHandle moduleLoadDataEx;
  private final Optional<MethodHandle> funcGetParamInfo;

  private Cuda(NativeLibrary library, CudaErrors errors) {
    super(library, NAMES, errors);
    this.errors = errors;
    deviceGetUuid = library.function("cuDeviceGetUuid", ADDRESS, JAVA_INT);
    primaryCtxRetain = library.function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    primaryCtxRelease = library.function("cuDevicePrimaryCtxRelease_v2", JAVA_INT);
    ctxPushCurrent = library.function("cuCtxPushCurrent_v2", ADDRESS);
    ctxPopCurrent = library.function("cuCtxPopCurrent_v2", ADDRESS);
    streamGetCtx = library.function("cuStreamGetCtx", ADDRESS, ADDRESS);
    moduleLoadDataEx =
        library.function("cuModuleLoadDataEx", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    funcGetParamInfo = // since CUDA 12.4
        library.find(
            "cuFuncGetParamInfo",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
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
  static Cuda load(String name) {
    NativeLibrary library =
        NativeLibrary.load(
            name,
            "install NVIDIA's driver, or hand its libraries into the container, or name the"
                + " library in "
                + VARIABLE);
    Cuda cuda = new Cuda(library, new CudaErrors(library));
    cuda.start();
    return cuda;
  }

  @Override
  public String platform() {
    return "CUDA";
  }

  byte[] deviceUuid(int device) {
    return uuid("cuDeviceGetUuid", out -> (int) deviceGetUuid.invokeExact(out, device));
  }

  @Override
  public int multiprocessors(int device) {
    return deviceAttribute(device, MULTIPROCESSORS);
  }

  @Override
  public int threadsOfABlock(int device) {
    return deviceAttribute(device, MAX_THREADS_PER_BLOCK);
  }

  @Override
  public int threadsOfAMultiprocessor(int device) {
    return deviceAttribute(device, MAX_THREADS_PER_MULTIPROCESSOR);
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

  MemorySegment contextOf(MemorySegment stream) {
    return made("cuStreamGetCtx", out -> (int) streamGetCtx.invokeExact(stream, out));
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

  /** Empty where the driver is too old to tell. */
  @Override
  protected Optional<List<Long>> parameterSizes(MemorySegment function) {
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
}
