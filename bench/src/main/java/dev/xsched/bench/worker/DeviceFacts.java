package dev.xsched.bench.worker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a device and its driver say of themselves, for records.
 *
 * @param hardware the device above all
 * @param runtime versions
 */
record DeviceFacts(Map<String, String> hardware, Map<String, String> runtime) {
  private static final String UNKNOWN = "unknown: clinfo is not there";
  private static final Path ROCM_VERSION = Path.of("/opt/rocm/.info/version");
  private static final Path AMD_DRIVER_VERSION = Path.of("/sys/module/amdgpu/version");

  /**
   * Asks.
   *
   * @param worker the command of a plain one
   */
  static DeviceFacts of(Kind kind, List<String> worker) {
    return switch (kind) {
      case OPENCL ->
          new DeviceFacts(
              Map.of("device", clinfo("CL_DEVICE_NAME")),
              Map.of(
                  "opencl", clinfo("CL_PLATFORM_VERSION"), "driver", clinfo("CL_DRIVER_VERSION")));
      case CUDA ->
          new DeviceFacts(
              nvidia(Map.of("device", "name", "clock_sm", "clocks.sm", "power", "power.draw")),
              nvidia(Map.of("driver", "driver_version")));
      case HIP -> amd(Shell.tryRun(worker, Map.of(), "facts\n").orElse(""));
    };
  }

  /** From what the worker says: which tools are there differs from one ROCm to the next. */
  static DeviceFacts amd(String answer) {
    JsonNode told = parse(answer);
    return new DeviceFacts(
        Map.of("device", told.path("device").asString("unknown: the worker finds no HIP device")),
        Map.of(
            "hip", told.path("version").asString("unknown"),
            "rocm_version", read(ROCM_VERSION, "unknown: there is no " + ROCM_VERSION),
            "driver", read(AMD_DRIVER_VERSION, "the kernel's own amdgpu")));
  }

  private static JsonNode parse(String answer) {
    try {
      String[] lines = answer.strip().split("\n", -1);
      return JsonMapper.shared().readTree(lines[lines.length - 1]);
    } catch (JacksonException _) {
      return JsonMapper.shared().createObjectNode();
    }
  }

  private static String read(Path file, String otherwise) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return otherwise;
    }
  }

  /** The first value of a name: workers take the first device of the first platform. */
  static String first(String raw, String name) {
    Matcher matcher =
        Pattern.compile("\\b%s\\s+(\\S.*)$".formatted(name), Pattern.MULTILINE).matcher(raw);
    return matcher.find() ? matcher.group(1).strip() : "unknown";
  }

  private static String clinfo(String name) {
    return Shell.tryRun(List.of("clinfo", "--raw"), Map.of(), "")
        .map(raw -> first(raw, name))
        .orElse(UNKNOWN);
  }

  private static Map<String, String> nvidia(Map<String, String> fields) {
    Map<String, String> facts = new TreeMap<>();
    fields.forEach(
        (name, field) ->
            facts.put(
                name,
                Shell.tryRun(
                        List.of(
                            "nvidia-smi",
                            "--id=0",
                            "--query-gpu=" + field,
                            "--format=csv,noheader"),
                        Map.of(),
                        "")
                    .map(String::strip)
                    .orElse("unknown: nvidia-smi does not say")));
    return facts;
  }
}
