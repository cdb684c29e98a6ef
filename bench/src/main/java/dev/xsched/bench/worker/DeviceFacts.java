package dev.xsched.bench.worker;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a device and its driver say of themselves, for records. */
final class DeviceFacts {
  private static final String UNKNOWN = "unknown: clinfo is not there";

  private DeviceFacts() {}

  static Map<String, String> hardware(Kind kind) {
    return switch (kind) {
      case OPENCL -> Map.of("device", clinfo("CL_DEVICE_NAME"));
      case CUDA -> nvidia(Map.of("device", "name", "clock_sm", "clocks.sm", "power", "power.draw"));
    };
  }

  static Map<String, String> runtime(Kind kind) {
    return switch (kind) {
      case OPENCL ->
          Map.of("opencl", clinfo("CL_PLATFORM_VERSION"), "driver", clinfo("CL_DRIVER_VERSION"));
      case CUDA -> nvidia(Map.of("driver", "driver_version"));
    };
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
