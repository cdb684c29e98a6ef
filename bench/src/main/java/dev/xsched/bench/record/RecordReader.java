package dev.xsched.bench.record;

import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.RunRecord.State;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the best of a record. Only its test and something that came out must be there: records are
 * kept for years, and one without the newest fields still counts.
 */
public final class RecordReader {
  /** No record is as large as this; something else is. */
  private static final long LARGEST = 64L << 20;

  private RecordReader() {}

  /**
   * Reads a file. Throws an {@link IllegalArgumentException} that says in a few words why it is no
   * record.
   *
   * @param name of the file for those who look for it
   */
  public static RunRecord read(Path file, String name) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IllegalArgumentException("larger than any record");
    }
    try {
      return read(name, Files.readString(file));
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("no UTF-8", e);
    }
  }

  private static RunRecord read(String file, String json) {
    JsonNode root = tree(json);
    String testId = text(root, "test_id");
    if (testId.isBlank()) {
      throw new IllegalArgumentException("no test_id");
    }
    if (!root.path("results").isObject() && !root.path("criteria").isArray()) {
      throw new IllegalArgumentException("neither results nor criteria");
    }
    Map<String, String> hardware = texts(root.path("hardware"));
    String device = device(root, hardware);
    List<String> notes = list(root.path("notes"));
    List<Criterion> criteria = criteria(root.path("criteria"));
    boolean pass = flag(root, "pass", false);
    boolean met = criteria.stream().allMatch(c -> c.pass() || c.goalOnly());
    if (pass && !met) {
      notes.add("the record says that it passed, but it misses a criterion");
    }
    return new RunRecord(
        file,
        testId,
        text(root, "test_name"),
        text(root, "date"),
        hardware,
        runtime(root),
        text(root, "xsched_version"),
        text(root, "commit"),
        text(root, "command"),
        device,
        flag(root, "simulated", device.startsWith("sim")),
        flag(root, "quick", false),
        state(text(root, "state"), notes),
        texts(root.path("configuration")),
        results(root.path("results")),
        SeriesReader.read(root.path("series"), notes),
        criteria,
        List.copyOf(notes));
  }

  private static JsonNode tree(String json) {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(json);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "broken JSON in line " + Math.max(1, e.getLocation().getLineNr()), e);
    }
    if (!root.isObject()) {
      throw new IllegalArgumentException("no JSON object");
    }
    return root;
  }

  /** Older records name only the hardware. */
  private static String device(JsonNode root, Map<String, String> hardware) {
    String device = text(root, "device");
    if (!device.isBlank()) {
      return device;
    }
    return hardware.getOrDefault("gpu", hardware.getOrDefault("cpu", "unknown device"));
  }

  /** The driver of an AMD device stands at the top, as the request for such records has it. */
  private static Map<String, String> runtime(JsonNode root) {
    Map<String, String> runtime = texts(root.path("runtime"));
    if (root.has("rocm_version")) {
      runtime.putIfAbsent("rocm", text(root, "rocm_version"));
    }
    return runtime;
  }

  /** What we do not know cannot be relied on. */
  private static State state(String text, List<String> notes) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "", "complete" -> State.COMPLETE;
      case "partial" -> State.PARTIAL;
      case "invalid" -> State.INVALID;
      default -> {
        notes.add("the record's state '%s' is unknown, so it counts as invalid".formatted(text));
        yield State.INVALID;
      }
    };
  }

  private static List<Criterion> criteria(JsonNode nodes) {
    List<Criterion> criteria = new ArrayList<>();
    for (JsonNode node : nodes) {
      criteria.add(
          new Criterion(
              text(node, "name"),
              text(node, "goal"),
              text(node, "paper"),
              value(node.path("value")),
              flag(node, "pass", false),
              flag(node, "goal_only", false)));
    }
    return criteria;
  }

  private static Map<String, Object> results(JsonNode node) {
    Map<String, Object> results = new LinkedHashMap<>();
    for (var entry : node.properties()) {
      results.put(entry.getKey(), value(entry.getValue()));
    }
    return results;
  }

  private static Object value(JsonNode value) {
    return value.isNumber() ? (Object) value.asDouble() : shown(value);
  }

  private static String shown(JsonNode value) {
    if (value.isArray()) {
      return value.values().stream().map(RecordReader::shown).collect(Collectors.joining(", "));
    }
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    return value.isValueNode() ? value.asString() : value.toString();
  }

  static String text(JsonNode node, String name) {
    return shown(node.path(name));
  }

  private static boolean flag(JsonNode node, String name, boolean otherwise) {
    JsonNode value = node.path(name);
    return value.isBoolean() ? value.asBoolean() : otherwise;
  }

  private static Map<String, String> texts(JsonNode node) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (var entry : node.properties()) {
      texts.put(entry.getKey(), text(node, entry.getKey()));
    }
    return texts;
  }

  private static List<String> list(JsonNode nodes) {
    List<String> texts = new ArrayList<>();
    if (nodes.isString()) {
      texts.add(nodes.asString());
    }
    for (JsonNode node : nodes) {
      texts.add(shown(node));
    }
    return texts;
  }
}
