package dev.xsched.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Variables of ROCm that change what a scheduler can do, or that hide the GPU. */
final class AmdVariables {
  private static final String NAME = "AMD variables";
  private static final String QUEUES = "GPU_MAX_HW_QUEUES";
  private static final int USUAL_QUEUES = 4;

  /** Each launch waits for its end: nothing is ever in flight. */
  private static final List<String> SERIAL =
      List.of("AMD_SERIALIZE_KERNEL", "HIP_LAUNCH_BLOCKING", "CUDA_LAUNCH_BLOCKING");

  private static final List<String> VISIBLE =
      List.of("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES");

  private AmdVariables() {}

  static List<Finding> all(Map<String, String> environment) {
    List<Finding> findings = new ArrayList<>();
    for (String name : SERIAL) {
      if (!environment.getOrDefault(name, "0").matches("0?")) {
        findings.add(
            Finding.warning(
                NAME, name + " is set: every launch waits for its end", "unset " + name));
      }
    }
    if (environment.getOrDefault("HSA_ENABLE_DEBUG", "").equals("1")) {
      findings.add(
          Finding.warning(
              NAME,
              "HSA_ENABLE_DEBUG=1 is for debuggers, which stop and start queues, too",
              "unset HSA_ENABLE_DEBUG"));
    }
    if (environment.containsKey("HSA_OVERRIDE_GFX_VERSION")) {
      findings.add(
          Finding.warning(
              NAME,
              "HSA_OVERRIDE_GFX_VERSION is set: kernels are built for another GPU",
              "unset it unless ROCm does not know your GPU"));
    }
    visible(environment, findings);
    findings.add(queues(environment.getOrDefault(QUEUES, Integer.toString(USUAL_QUEUES))));
    return findings;
  }

  private static void visible(Map<String, String> environment, List<Finding> findings) {
    for (String name : VISIBLE) {
      String value = environment.get(name);
      if (value != null && (value.isBlank() || value.strip().equals("-1"))) {
        findings.add(
            Finding.warning(
                NAME, "%s='%s' hides every GPU".formatted(name, value), "unset " + name));
      }
    }
    List<String> set = VISIBLE.stream().filter(environment::containsKey).toList();
    if (set.size() > 1) {
      findings.add(
          Finding.warning(
              NAME,
              String.join(" and ", set) + " are set: HIP counts in what ROCr has left over",
              "set ROCR_VISIBLE_DEVICES alone"));
    }
  }

  private static Finding queues(String value) {
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) == 0) {
      return Finding.warning(
          NAME, "%s='%s' is no number of queues".formatted(QUEUES, value), "unset " + QUEUES);
    }
    return Finding.ok(
        NAME,
        "a program's streams share at most %s hardware queues (%s): level 3 stops a program as a whole"
            .formatted(value, QUEUES));
  }
}
