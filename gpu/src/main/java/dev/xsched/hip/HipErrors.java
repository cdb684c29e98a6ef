package dev.xsched.hip;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.xsched.gpu.DriverErrors;
import dev.xsched.gpu.NativeLibrary;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

final class HipErrors extends DriverErrors {
  /** More than any of its texts has. */
  private static final int TEXT_BYTES = 256;

  private final MethodHandle getErrorName;
  private final MethodHandle getErrorString;

  HipErrors(NativeLibrary library) {
    FunctionDescriptor type = FunctionDescriptor.of(ADDRESS, JAVA_INT);
    getErrorName = library.bind("hipGetErrorName", type);
    getErrorString = library.bind("hipGetErrorString", type);
  }

  @Override
  public String name(int code) {
    return text(getErrorName, code);
  }

  @Override
  protected String text(int code) {
    return text(getErrorString, code);
  }

  private static String text(MethodHandle function, int code) {
    try {
      MemorySegment text = (MemorySegment) function.invokeExact(code);
      return text.equals(MemorySegment.NULL)
          ? "HIP error " + code
          : text.reinterpret(TEXT_BYTES).getString(0);
    } catch (Throwable e) {
      throw NativeLibrary.broken(e);
    }
  }

  @Override
  protected String remedy(String name) {
    return switch (name) {
      case "hipErrorNoDevice", "hipErrorInvalidDevice" ->
          "rocminfo lists what is found; in a container, hand in /dev/kfd and /dev/dri";
      case "hipErrorOutOfMemory" -> "close buffers, or use smaller ones";
      case "hipErrorInvalidValue", "hipErrorInvalidConfiguration" ->
          "sizes, grid or arguments are not what the device allows or the kernel has";
      case "hipErrorNotFound" -> "there is no kernel of that name in the module";
      case "hipErrorNoBinaryForGpu", "hipErrorInvalidImage" ->
          "compile the kernels for the architecture that rocminfo shows";
      case "hipErrorIllegalAddress", "hipErrorLaunchFailure" ->
          "a kernel touched memory outside of its buffers; all that this program has on the device"
              + " is lost, so start it again";
      case "hipErrorInvalidHandle", "hipErrorInvalidResourceHandle" ->
          "stream, kernel and buffers must be of the same device, and not closed";
      default -> "see AMD's description of the error";
    };
  }
}
