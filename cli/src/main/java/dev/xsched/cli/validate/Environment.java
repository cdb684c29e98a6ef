package dev.xsched.cli.validate;

import dev.xsched.cli.doctor.Finding;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What environment.json says of the machine.
 *
 * @param variables those of {@link #NAMED} that are set, and no others
 */
record Environment(
    Instant date,
    String xschedVersion,
    String commit,
    String device,
    Map<String, String> hardware,
    Map<String, String> runtime,
    List<Finding> findings,
    Map<String, String> variables) {
  /** They steer drivers; none has a name of a person or a place in it. */
  static final List<String> NAMED =
      List.of(
          "GPU_MAX_HW_QUEUES",
          "HIP_VISIBLE_DEVICES",
          "ROCR_VISIBLE_DEVICES",
          "CUDA_VISIBLE_DEVICES",
          "GPU_DEVICE_ORDINAL",
          "HSA_ENABLE_DEBUG",
          "HSA_ENABLE_SDMA",
          "HSA_OVERRIDE_GFX_VERSION",
          "HSA_XNACK",
          "AMD_SERIALIZE_KERNEL",
          "HIP_LAUNCH_BLOCKING",
          "CUDA_LAUNCH_BLOCKING",
          "CUDA_DEVICE_MAX_CONNECTIONS",
          "POCL_MAX_PTHREAD_COUNT");

  static Map<String, String> named(Map<String, String> environment) {
    Map<String, String> some = new TreeMap<>(environment);
    some.keySet().retainAll(NAMED);
    return some;
  }
}
