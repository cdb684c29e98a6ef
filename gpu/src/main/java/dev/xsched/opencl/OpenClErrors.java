package dev.xsched.opencl;

import dev.xsched.queue.DeviceException;
import java.util.List;

/** Turns OpenCL's codes into messages with a remedy. */
final class OpenClErrors {
  /** From -1 on; an empty text where OpenCL left a number out. */
  private static final List<String> FIRST =
      List.of(
          "DEVICE_NOT_FOUND",
          "DEVICE_NOT_AVAILABLE",
          "COMPILER_NOT_AVAILABLE",
          "MEM_OBJECT_ALLOCATION_FAILURE",
          "OUT_OF_RESOURCES",
          "OUT_OF_HOST_MEMORY",
          "PROFILING_INFO_NOT_AVAILABLE",
          "MEM_COPY_OVERLAP",
          "IMAGE_FORMAT_MISMATCH",
          "IMAGE_FORMAT_NOT_SUPPORTED",
          "BUILD_PROGRAM_FAILURE",
          "MAP_FAILURE",
          "MISALIGNED_SUB_BUFFER_OFFSET",
          "EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
          "COMPILE_PROGRAM_FAILURE",
          "LINKER_NOT_AVAILABLE",
          "LINK_PROGRAM_FAILURE",
          "DEVICE_PARTITION_FAILED",
          "KERNEL_ARG_INFO_NOT_AVAILABLE");

  /** From -30 on. */
  private static final List<String> SECOND =
      List.of(
          "INVALID_VALUE",
          "INVALID_DEVICE_TYPE",
          "INVALID_PLATFORM",
          "INVALID_DEVICE",
          "INVALID_CONTEXT",
          "INVALID_QUEUE_PROPERTIES",
          "INVALID_COMMAND_QUEUE",
          "INVALID_HOST_PTR",
          "INVALID_MEM_OBJECT",
          "INVALID_IMAGE_FORMAT_DESCRIPTOR",
          "INVALID_IMAGE_SIZE",
          "INVALID_SAMPLER",
          "INVALID_BINARY",
          "INVALID_BUILD_OPTIONS",
          "INVALID_PROGRAM",
          "INVALID_PROGRAM_EXECUTABLE",
          "INVALID_KERNEL_NAME",
          "INVALID_KERNEL_DEFINITION",
          "INVALID_KERNEL",
          "INVALID_ARG_INDEX",
          "INVALID_ARG_VALUE",
          "INVALID_ARG_SIZE",
          "INVALID_KERNEL_ARGS",
          "INVALID_WORK_DIMENSION",
          "INVALID_WORK_GROUP_SIZE",
          "INVALID_WORK_ITEM_SIZE",
          "INVALID_GLOBAL_OFFSET",
          "INVALID_EVENT_WAIT_LIST",
          "INVALID_EVENT",
          "INVALID_OPERATION",
          "INVALID_GL_OBJECT",
          "INVALID_BUFFER_SIZE",
          "INVALID_MIP_LEVEL",
          "INVALID_GLOBAL_WORK_SIZE",
          "INVALID_PROPERTY",
          "INVALID_IMAGE_DESCRIPTOR",
          "INVALID_COMPILER_OPTIONS",
          "INVALID_LINKER_OPTIONS",
          "INVALID_DEVICE_PARTITION_COUNT",
          "INVALID_PIPE_SIZE",
          "INVALID_DEVICE_QUEUE",
          "INVALID_SPEC_ID",
          "MAX_SIZE_RESTRICTION_EXCEEDED");

  private OpenClErrors() {}

  /** Throws unless the code is that of success. */
  static void check(String what, int code) {
    if (code != 0) {
      throw new DeviceException("%s: %s; %s".formatted(what, name(code), remedy(name(code))));
    }
  }

  static String name(int code) {
    int first = -1 - code;
    int second = -30 - code;
    if (first >= 0 && first < FIRST.size()) {
      return "CL_" + FIRST.get(first);
    }
    if (second >= 0 && second < SECOND.size()) {
      return "CL_" + SECOND.get(second);
    }
    return code == -1001 ? "CL_PLATFORM_NOT_FOUND_KHR" : "OpenCL error " + code;
  }

  private static String remedy(String name) {
    return switch (name) {
      case "CL_DEVICE_NOT_FOUND", "CL_PLATFORM_NOT_FOUND_KHR" ->
          "install the OpenCL driver of your device; clinfo lists what is found";
      case "CL_MEM_OBJECT_ALLOCATION_FAILURE", "CL_OUT_OF_RESOURCES" ->
          "the device is out of memory or other resources: use smaller buffers or groups";
      case "CL_INVALID_BUFFER_SIZE" -> "give more than 0 bytes, and no more than the device has";
      case "CL_INVALID_KERNEL_NAME" -> "the program has no kernel of that name";
      case "CL_INVALID_ARG_SIZE" ->
          "its type differs from the kernel's: an int wants an Integer, a long a Long, and so on";
      case "CL_INVALID_ARG_VALUE", "CL_INVALID_MEM_OBJECT" ->
          "it wants a buffer of the same device object";
      case "CL_INVALID_WORK_GROUP_SIZE" ->
          "a group's size must divide the range, and not exceed what device and kernel allow";
      case "CL_INVALID_GLOBAL_WORK_SIZE", "CL_INVALID_WORK_ITEM_SIZE" ->
          "give a range of at least 1 in each dimension, in groups that the device allows";
      case "CL_INVALID_CONTEXT" ->
          "queue, kernel and buffers must come from the same device object";
      case "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST" ->
          "it or one before it failed while it ran: look for accesses outside of its buffers";
      default -> "see clinfo and the driver's log";
    };
  }
}
