package dev.xsched.bench.run;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.ResultRecord.Series;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads records, also those of earlier versions: what they do not have is empty, and what this
 * version does not know is passed over.
 */
public final class RecordReader {
  private RecordReader() {}

  /**
   * Reads one record.
   *
   * @throws IllegalArgumentException in one line, if the file is none
   */
  public static ResultRecord read(Path file) throws IOException {
    JsonNode json;
    try {
      json = JsonMapper.shared().readTree(Files.readString(file));
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "%s is no record: not JSON; measure again, or take it out of the folder".formatted(file),
          e);
    }
    if (!json.path("test_id").isString()) {
      throw new IllegalArgumentException(
          "%s is no record: it has no test_id; take it out of the folder".formatted(file));
    }
    return record(json);
  }

  /** Reads all records of a folder, by name; other files there are passed over. */
  public static List<ResultRecord> readAll(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "%s is no folder; give the one that bench run wrote to".formatted(folder));
    }
    List<ResultRecord> records = new ArrayList<>();
    try (var files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        try {
          records.add(read(file));
        } catch (IllegalArgumentException _) {
          // A demo's result, or somebody else's.
        }
      }
    }
    return records;
  }

  private static ResultRecord record(JsonNode json) {
    return new ResultRecord(
        text(json, "test_id"),
        text(json, "test_name"),
        date(text(json, "date")),
        texts(json.path("hardware")),
        texts(json.path("runtime")),
        text(json, "xsched_version"),
        text(json, "commit"),
        text(json, "command"),
        text(json, "device"),
        json.path("simulated").asBoolean(false),
        json.path("quick").asBoolean(false),
        json.path("state").asString(ResultRecord.COMPLETE),
        texts(json.path("configuration")),
        results(json.path("results")),
        series(json.path("series")),
        criteria(json.path("criteria")),
        json.path("pass").asBoolean(false),
        json.path("notes").valueStream().map(n -> n.asString("")).toList());
  }

  private static Instant date(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException _) {
      return Instant.EPOCH;
    }
  }

  private static List<Criterion> criteria(JsonNode list) {
    return list.valueStream()
        .map(
            c ->
                new Criterion(
                    text(c, "name"),
                    text(c, "goal"),
                    optional(c, "paper"),
                    c.path("value").isNumber() ? c.path("value").doubleValue() : Double.NaN,
                    c.path("pass").asBoolean(false),
                    c.path("goal_only").asBoolean(false)))
        .toList();
  }

  private static List<Series> series(JsonNode list) {
    return list.valueStream()
        .map(
            s ->
                new Series(
                    text(s, "figure"),
                    optional(s, "panel"),
                    text(s, "name"),
                    text(s, "kind"),
                    text(s, "source"),
                    text(s, "unit"),
                    optional(s, "x_label"),
                    optional(s, "y_label"),
                    s.path("points")
                        .valueStream()
                        .map(p -> p.valueStream().map(RecordReader::value).toList())
                        .toList()))
        .toList();
  }

  private static Map<String, Object> results(JsonNode object) {
    Map<String, Object> values = new LinkedHashMap<>();
    object.propertyStream().forEach(p -> values.put(p.getKey(), value(p.getValue())));
    return values;
  }

  private static Object value(JsonNode node) {
    return node.isNumber() ? node.numberValue() : node.asString("");
  }

  private static Map<String, String> texts(JsonNode object) {
    Map<String, String> values = new LinkedHashMap<>();
    object.propertyStream().forEach(p -> values.put(p.getKey(), p.getValue().asString("")));
    return values;
  }

  private static String text(JsonNode json, String name) {
    return json.path(name).asString("");
  }

  private static @Nullable String optional(JsonNode json, String name) {
    return json.path(name).isString() ? text(json, name) : null;
  }
}
