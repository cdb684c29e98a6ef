package dev.xsched.cuda;

/** What to do about an error of CUDA. */
final class CudaRemedies {
  private CudaRemedies() {}

  static String of(String name) {
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
