package dev.xsched.hip;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.xsched.gpu.FunctionNames;
import dev.xsched.gpu.NativeLibrary;
import dev.xsched.gpu.StreamDriver;
import dev.xsched.queue.DeviceException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** HIP's runtime library. Numbers are those of its header, the same from ROCm 5 to 7. */
final class Hip extends StreamDriver {
  static final String VARIABLE = "XSCHED_HIP_LIB";

  private static final FunctionNames NAMES =
      new FunctionNames(
          "hip",
          Map.of(
              "DeviceGetCount", "hipGetDeviceCount",
              "StreamCreate", "hipStreamCreateWithFlags",
              "EventCreate", "hipEventCreateWithFlags",
              "LaunchKernel", "hipModuleLaunchKernel",
              "MemAlloc", "hipMalloc",
              "MemFree", "hipFree",
              "MemHostAlloc", "hipHostMalloc",
              "MemFreeHost", "hipHostFree"));

  private static final int MAX_THREADS_PER_BLOCK = 56;
  private static final int MAX_THREADS_PER_MULTIPROCESSOR = 57;
  private static final int MULTIPROCESSORS = 63;
  private static final int WALL_CLOCK_KILOHERTZ = 10_017;
  private static final int TEXT_BYTES = 64;

  private final Hiprtc compiler;
  private final Optional<MethodHandle> deviceGetUuid;
  private final MethodHandle deviceGetPciBusId;
  private final MethodHandle getDevice;
  private final MethodHandle setDevice;
  private final MethodHandle moduleLoadData;

  private Hip(NativeLibrary library) {
    super(library, NAMES, new HipErrors(library));
    compiler = new Hiprtc(library);
    deviceGetUuid = // since ROCm 5.2
        library.find("hipDeviceGetUuid", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    deviceGetPciBusId = library.function("hipDeviceGetPCIBusId", ADDRESS, JAVA_INT, JAVA_INT);
    getDevice = library.function("hipGetDevice", ADDRESS);
    setDevice = library.function("hipSetDevice", JAVA_INT);
    moduleLoadData = library.function("hipModuleLoadData", ADDRESS, ADDRESS);
  }

  /** The one that the environment names, else those of every version, newest first. */
  static List<String> usualLibraries() {
    String named = NativeLibrary.named(VARIABLE, "");
    return named.isEmpty()
        ? List.of("libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so")
        : List.of(named);
  }

  /**
   * Loads HIP and starts it.
   *
   * @throws DeviceException if it is not there, or finds no device
   */
  static Hip load(List<String> libraries) {
    Hip hip =
        new Hip(
            NativeLibrary.loadFirst(
                libraries,
                "install ROCm, or put its lib folder into LD_LIBRARY_PATH, or name the library in "
                    + VARIABLE));
    hip.start();
    return hip;
  }

  @Override
  public String platform() {
    return "HIP";
  }

  /** Empty where the library cannot tell, or the device has none. */
  Optional<byte[]> deviceUuid(int device) {
    return deviceGetUuid
        .map(get -> uuid("hipDeviceGetUuid", out -> (int) get.invokeExact(out, device)))
        .filter(
            bytes -> {
              int any = 0;
              for (byte b : bytes) {
                any |= b;
              }
              return any != 0;
            });
  }

  String devicePciBusId(int device) {
    return text(
        "hipDeviceGetPCIBusId",
        out -> (int) deviceGetPciBusId.invokeExact(out, TEXT_BYTES, device));
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

  /** How fast wall_clock64() of a kernel counts; empty where the library does not know. */
  Optional<Integer> wallClockKilohertz(int device) {
    try {
      return Optional.of(deviceAttribute(device, WALL_CLOCK_KILOHERTZ)).filter(khz -> khz > 0);
    } catch (DeviceException _) {
      return Optional.empty(); // Before ROCm 5.3.
    }
  }

  int currentDevice() {
    return integer("hipGetDevice", out -> (int) getDevice.invokeExact(out));
  }

  void makeCurrent(int device) {
    check("hipSetDevice", () -> (int) setDevice.invokeExact(device));
  }

  /** Compiles for the current device. */
  MemorySegment loadModule(String source) {
    return compiler.compile(source, this::loadModule);
  }

  MemorySegment loadModule(MemorySegment code) {
    return made("hipModuleLoadData", out -> (int) moduleLoadData.invokeExact(out, code));
  }
}
