package dev.xsched.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.xsched.gpu.Driver;
import dev.xsched.gpu.DriverErrors;
import dev.xsched.gpu.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

final class CudaErrors extends DriverErrors {
  /** More than any of its texts has. */
  private static final int TEXT_BYTES = 256;

  private final MethodHandle getErrorName;
  private final MethodHandle getErrorString;

  CudaErrors(NativeLibrary library) {
    getErrorName = library.function("cuGetErrorName", JAVA_INT, ADDRESS);
    getErrorString = library.function("cuGetErrorString", JAVA_INT, ADDRESS);
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
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(ADDRESS);
      int known = Driver.call(() -> (int) function.invokeExact(code, out));
      return known == 0
          ? out.get(ADDRESS, 0).reinterpret(TEXT_BYTES).getString(0)
          : "CUDA error " + code;
    }
  }

  @Override
  protected String remedy(String name) {
    return switch (name) {
      case "CUDA_ERROR_NO_DEVICE" ->
          "nvidia-smi lists what is found; in a container, hand the devices in";
      case "CUDA_ERROR_OUT_OF_MEMORY" -> "close buffers, or use smaller ones";
      case "CUDA_ERROR_INVALID_VALUE" ->
          "sizes, grid or arguments are not what the device allows or the kernel has";
      case "CUDA_ERROR_NOT_FOUND" -> "there is no kernel of that name in the PTX";
      case "CUDA_ERROR_UNSUPPORTED_PTX_VERSION" ->
          "compile the PTX for an older version, or install a newer driver";
      case "CUDA_ERROR_ILLEGAL_ADDRESS", "CUDA_ERROR_LAUNCH_FAILED" ->
          "a kernel touched memory outside of its buffers; all that this program has on the device"
              + " is lost, so start it again";
      case "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH" ->
          "the libraries and the kernel module are of different versions: load the new module";
      case "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_INVALID_HANDLE" ->
          "stream, kernel and buffers must be of the same device, and not closed";
      default -> "see NVIDIA's description of the error";
    };
  }
}
