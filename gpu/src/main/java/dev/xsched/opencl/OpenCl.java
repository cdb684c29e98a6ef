package dev.xsched.opencl;

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
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * The functions of OpenCL 1.2 that we use. Those that put something into a queue return OpenCL's
 * code, all others check it. Objects of OpenCL are addresses here.
 */
final class OpenCl extends Driver {
  static final String VARIABLE = "XSCHED_OPENCL_LIB";
  static final int DEVICE_TYPE = 0x1000;
  static final int DEVICE_MAX_COMPUTE_UNITS = 0x1002;
  static final int DEVICE_NAME = 0x102B;
  static final int DEVICE_UUID = 0x106A;
  static final int QUEUE_CONTEXT = 0x1090;
  static final int QUEUE_DEVICE = 0x1091;
  static final int QUEUE_PROPERTIES = 0x1093;
  static final int EVENT_REFERENCE_COUNT = 0x11D2;

  static final long OUT_OF_ORDER = 1;
  static final long PROFILING = 2;

  private static final int DEVICE_NOT_FOUND = -1;
  private static final int PLATFORM_NOT_FOUND = -1001;
  private static final long ALL_DEVICES = 0xFFFF_FFFFL;
  private static final long READ_WRITE = 1;
  private static final int BUILD_LOG = 0x1183;
  private static final int NUMBER_OF_ARGUMENTS = 0x1191;
  private static final int WORK_GROUP_SIZE = 0x11B0;
  private static final int COMMAND_START = 0x1282;
  private static final int COMMAND_END = 0x1283;

  private final MethodHandle getPlatformIDs;
  private final MethodHandle getDeviceIDs;
  private final MethodHandle getDeviceInfo;
  private final MethodHandle createContext;
  private final MethodHandle retainContext;
  private final MethodHandle releaseContext;
  private final MethodHandle createCommandQueue;
  private final MethodHandle getCommandQueueInfo;
  private final MethodHandle retainCommandQueue;
  private final MethodHandle releaseCommandQueue;
  private final MethodHandle createProgramWithSource;
  private final MethodHandle buildProgram;
  private final MethodHandle getProgramBuildInfo;
  private final MethodHandle releaseProgram;
  private final MethodHandle createKernel;
  private final MethodHandle getKernelInfo;
  private final MethodHandle getKernelWorkGroupInfo;
  private final MethodHandle setKernelArg;
  private final MethodHandle releaseKernel;
  private final MethodHandle createBuffer;
  private final MethodHandle releaseMemObject;
  private final MethodHandle enqueueNDRangeKernel;
  private final MethodHandle enqueueReadBuffer;
  private final MethodHandle enqueueWriteBuffer;
  private final MethodHandle enqueueFillBuffer;
  private final MethodHandle enqueueMarker;
  private final MethodHandle waitForEvents;
  private final MethodHandle getEventInfo;
  private final MethodHandle getEventProfilingInfo;
  private final MethodHandle releaseEvent;
  private final MethodHandle flush;

  private OpenCl(NativeLibrary library) {
    getPlatformIDs = library.function("clGetPlatformIDs", JAVA_INT, ADDRESS, ADDRESS);
    getDeviceIDs =
        library.function("clGetDeviceIDs", ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    getDeviceInfo = info(library, "clGetDeviceInfo");
    createContext =
        maker(library, "clCreateContext", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    retainContext = library.function("clRetainContext", ADDRESS);
    releaseContext = library.function("clReleaseContext", ADDRESS);
    // Its successor is of OpenCL 2.0, and offers nothing more that we want.
    createCommandQueue =
        maker(library, "clCreateCommandQueue", ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    getCommandQueueInfo = info(library, "clGetCommandQueueInfo");
    retainCommandQueue = library.function("clRetainCommandQueue", ADDRESS);
    releaseCommandQueue = library.function("clReleaseCommandQueue", ADDRESS);
    createProgramWithSource =
        maker(library, "clCreateProgramWithSource", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    buildProgram =
        library.function("clBuildProgram", ADDRESS, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    getProgramBuildInfo =
        library.function(
            "clGetProgramBuildInfo", ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    releaseProgram = library.function("clReleaseProgram", ADDRESS);
    createKernel = maker(library, "clCreateKernel", ADDRESS, ADDRESS, ADDRESS);
    getKernelInfo = info(library, "clGetKernelInfo");
    getKernelWorkGroupInfo =
        library.function(
            "clGetKernelWorkGroupInfo", ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    setKernelArg = library.function("clSetKernelArg", ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS);
    releaseKernel = library.function("clReleaseKernel", ADDRESS);
    createBuffer =
        maker(library, "clCreateBuffer", ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    releaseMemObject = library.function("clReleaseMemObject", ADDRESS);
    enqueueNDRangeKernel =
        library.function(
            "clEnqueueNDRangeKernel",
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    enqueueReadBuffer = transfer(library, "clEnqueueReadBuffer");
    enqueueWriteBuffer = transfer(library, "clEnqueueWriteBuffer");
    enqueueFillBuffer =
        library.function(
            "clEnqueueFillBuffer",
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
    enqueueMarker =
        library.function("clEnqueueMarkerWithWaitList", ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    waitForEvents = library.function("clWaitForEvents", JAVA_INT, ADDRESS);
    getEventInfo = info(library, "clGetEventInfo");
    getEventProfilingInfo = info(library, "clGetEventProfilingInfo");
    releaseEvent = library.function("clReleaseEvent", ADDRESS);
    flush = library.function("clFlush", ADDRESS);
  }

  private static MethodHandle info(NativeLibrary library, String name) {
    return library.function(name, ADDRESS, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
  }

  private static MethodHandle transfer(NativeLibrary library, String name) {
    return library.function(
        name, ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG, JAVA_LONG, ADDRESS, JAVA_INT, ADDRESS,
        ADDRESS);
  }

  /** A function that returns what it made, and its code through the last parameter. */
  private static MethodHandle maker(
      NativeLibrary library, String name, MemoryLayout... parameters) {
    return library.bind(name, FunctionDescriptor.of(ADDRESS, parameters));
  }

  /** The library's name: what the environment says, else the usual one. */
  static String usualLibrary() {
    return NativeLibrary.named(VARIABLE, "libOpenCL.so.1");
  }

  /**
   * Loads OpenCL.
   *
   * @throws DeviceException if it is not there
   */
  static OpenCl load(String library) {
    return new OpenCl(
        NativeLibrary.load(
            library,
            "install OpenCL (on Debian ocl-icd-libopencl1) and the driver of your device,"
                + " or name the library in "
                + VARIABLE));
  }

  List<MemorySegment> platforms() {
    return Infos.list(
        "clGetPlatformIDs",
        PLATFORM_NOT_FOUND,
        (room, ids, count) -> (int) getPlatformIDs.invokeExact(room, ids, count));
  }

  List<MemorySegment> devices(MemorySegment platform) {
    return Infos.list(
        "clGetDeviceIDs",
        DEVICE_NOT_FOUND,
        (room, ids, count) ->
            (int) getDeviceIDs.invokeExact(platform, ALL_DEVICES, room, ids, count));
  }

  /** Throws where a device does not know what is asked. */
  byte[] deviceInfo(MemorySegment device, int what) {
    return info("clGetDeviceInfo", getDeviceInfo, device, what);
  }

  MemorySegment createContext(MemorySegment device) {
    return make(
        "clCreateContext",
        (arena, code) ->
            (MemorySegment)
                createContext.invokeExact(
                    NULL, 1, arena.allocateFrom(ADDRESS, device), NULL, NULL, code));
  }

  void retainContext(MemorySegment context) {
    check("clRetainContext", () -> (int) retainContext.invokeExact(context));
  }

  void releaseContext(MemorySegment context) {
    check("clReleaseContext", () -> (int) releaseContext.invokeExact(context));
  }

  MemorySegment createQueue(MemorySegment context, MemorySegment device, long properties) {
    return make(
        "clCreateCommandQueue",
        (arena, code) ->
            (MemorySegment) createCommandQueue.invokeExact(context, device, properties, code));
  }

  byte[] queueInfo(MemorySegment queue, int what) {
    return info("clGetCommandQueueInfo", getCommandQueueInfo, queue, what);
  }

  void retainQueue(MemorySegment queue) {
    check("clRetainCommandQueue", () -> (int) retainCommandQueue.invokeExact(queue));
  }

  void releaseQueue(MemorySegment queue) {
    check("clReleaseCommandQueue", () -> (int) releaseCommandQueue.invokeExact(queue));
  }

  MemorySegment createProgram(MemorySegment context, String source) {
    return make(
        "clCreateProgramWithSource",
        (arena, code) -> {
          MemorySegment strings = arena.allocateFrom(ADDRESS, arena.allocateFrom(source));
          return (MemorySegment)
              createProgramWithSource.invokeExact(context, 1, strings, NULL, code);
        });
  }

  /** Throws with what the compiler said. */
  void buildProgram(MemorySegment program, MemorySegment device, String options) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment devices = arena.allocateFrom(ADDRESS, device);
      MemorySegment text = arena.allocateFrom(options);
      int code = call(() -> (int) buildProgram.invokeExact(program, 1, devices, text, NULL, NULL));
      if (code != 0) {
        throw new DeviceException(
            "the program does not build (%s):%n%s"
                .formatted(OpenClErrors.name(code), buildLog(program, device)));
      }
    }
  }

  private String buildLog(MemorySegment program, MemorySegment device) {
    byte[] log =
        Infos.bytes(
            "clGetProgramBuildInfo",
            (room, value, size) ->
                (int)
                    getProgramBuildInfo.invokeExact(program, device, BUILD_LOG, room, value, size));
    return Infos.text(log);
  }

  void releaseProgram(MemorySegment program) {
    check("clReleaseProgram", () -> (int) releaseProgram.invokeExact(program));
  }

  MemorySegment createKernel(MemorySegment program, String name) {
    return make(
        "clCreateKernel for '%s'".formatted(name),
        (arena, code) ->
            (MemorySegment) createKernel.invokeExact(program, arena.allocateFrom(name), code));
  }

  int numberOfArguments(MemorySegment kernel) {
    return Infos.integer(info("clGetKernelInfo", getKernelInfo, kernel, NUMBER_OF_ARGUMENTS));
  }

  long largestGroup(MemorySegment kernel, MemorySegment device) {
    return Infos.number(
        Infos.bytes(
            "clGetKernelWorkGroupInfo",
            (room, value, size) ->
                (int)
                    getKernelWorkGroupInfo.invokeExact(
                        kernel, device, WORK_GROUP_SIZE, room, value, size)));
  }

  void setArgument(MemorySegment kernel, String name, int index, long size, MemorySegment value) {
    int code = call(() -> (int) setKernelArg.invokeExact(kernel, index, size, value));
    OpenClErrors.check("argument %d of kernel '%s'".formatted(index, name), code);
  }

  void releaseKernel(MemorySegment kernel) {
    check("clReleaseKernel", () -> (int) releaseKernel.invokeExact(kernel));
  }

  MemorySegment createBuffer(MemorySegment context, long bytes) {
    return make(
        "clCreateBuffer of %d bytes".formatted(bytes),
        (arena, code) ->
            (MemorySegment) createBuffer.invokeExact(context, READ_WRITE, bytes, NULL, code));
  }

  void releaseBuffer(MemorySegment buffer) {
    check("clReleaseMemObject", () -> (int) releaseMemObject.invokeExact(buffer));
  }

  int enqueueKernel(
      MemorySegment queue,
      MemorySegment kernel,
      int dimensions,
      MemorySegment global,
      MemorySegment local,
      MemorySegment event) {
    return call(
        () ->
            (int)
                enqueueNDRangeKernel.invokeExact(
                    queue, kernel, dimensions, NULL, global, local, 0, NULL, event));
  }

  int enqueueRead(
      MemorySegment queue, MemorySegment buffer, MemorySegment to, MemorySegment event) {
    long size = to.byteSize();
    return call(
        () -> (int) enqueueReadBuffer.invokeExact(queue, buffer, 0, 0L, size, to, 0, NULL, event));
  }

  int enqueueWrite(
      MemorySegment queue, MemorySegment buffer, MemorySegment from, MemorySegment event) {
    long size = from.byteSize();
    return call(
        () ->
            (int) enqueueWriteBuffer.invokeExact(queue, buffer, 0, 0L, size, from, 0, NULL, event));
  }

  int enqueueFill(
      MemorySegment queue, MemorySegment buffer, byte value, long size, MemorySegment event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pattern = arena.allocateFrom(JAVA_BYTE, value);
      return call(
          () ->
              (int)
                  enqueueFillBuffer.invokeExact(
                      queue, buffer, pattern, 1L, 0L, size, 0, NULL, event));
    }
  }

  /** Returns an event that is complete when all is that was put into the queue before. */
  MemorySegment enqueueMarker(MemorySegment queue) {
    return made(
        "clEnqueueMarkerWithWaitList",
        event -> (int) enqueueMarker.invokeExact(queue, 0, NULL, event));
  }

  void flush(MemorySegment queue) {
    check("clFlush", () -> (int) flush.invokeExact(queue));
  }

  /** Waits; hands the queue's commands to the device first, if that was not done. */
  void waitFor(MemorySegment event) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment events = arena.allocateFrom(ADDRESS, event);
      check("waiting for a command", () -> (int) waitForEvents.invokeExact(1, events));
    }
  }

  int referencesTo(MemorySegment event) {
    return Infos.integer(info("clGetEventInfo", getEventInfo, event, EVENT_REFERENCE_COUNT));
  }

  /** Returns how long a command ran, by the device's clock. */
  long nanosOf(MemorySegment event) {
    return profile(event, COMMAND_END) - profile(event, COMMAND_START);
  }

  private long profile(MemorySegment event, int what) {
    return Infos.number(info("clGetEventProfilingInfo", getEventProfilingInfo, event, what));
  }

  void releaseEvent(MemorySegment event) {
    check("clReleaseEvent", () -> (int) releaseEvent.invokeExact(event));
  }

  private interface Maker {
    MemorySegment make(Arena arena, MemorySegment code) throws Throwable;
  }

  @Override
  protected void check(String what, int code) {
    OpenClErrors.check(what, code);
  }

  private static MemorySegment make(String name, Maker maker) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment code = arena.allocate(JAVA_INT);
      MemorySegment made;
      try {
        made = maker.make(arena, code);
      } catch (Throwable e) {
        throw NativeLibrary.broken(e);
      }
      OpenClErrors.check(name, code.get(JAVA_INT, 0));
      return made;
    }
  }

  private static byte[] info(String name, MethodHandle function, MemorySegment object, int what) {
    return Infos.bytes(
        name, (room, value, size) -> (int) function.invokeExact(object, what, room, value, size));
  }
}
