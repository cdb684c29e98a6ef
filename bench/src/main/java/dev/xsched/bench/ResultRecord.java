package dev.xsched.bench;

import dev.xsched.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/**
 * What one measurement leaves behind: enough to judge it and to run it again. Written as JSON with
 * snake_case names; the names are the contract of {@code report} and {@code compare}.
 *
 * @param hardware what it ran on, such as the processor and its cores
 * @param runtime versions of what lies below us: Java, driver, runtime library
 * @param command how to run it again
 * @param simulated whether times come from a device model
 * @param pass whether every criterion is met
 */
public record ResultRecord(
    String testId,
    String testName,
    Instant date,
    Map<String, String> hardware,
    Map<String, String> runtime,
    String xschedVersion,
    String commit,
    String command,
    boolean simulated,
    Map<String, String> configuration,
    Map<String, Object> results,
    List<Criterion> criteria,
    boolean pass,
    List<String> notes) {

  /** What was asked for and what came out. */
  public record Criterion(String name, String goal, double value, boolean pass) {}

  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  public ResultRecord {
    date = date.truncatedTo(ChronoUnit.SECONDS);
  }

  /** Writes it under a name of its own into a folder, which is made if need be. */
  public Path writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    return write(folder.resolve("%s-%s.json".formatted(testId, FILE_TIME.format(date))));
  }

  /** Writes it into a file if the name ends with .json, else under its own name into a folder. */
  public Path writeToFileOrFolder(Path where) throws IOException {
    return where.toString().endsWith(".json") ? write(where) : writeTo(where);
  }

  private Path write(Path file) throws IOException {
    Files.writeString(file, Json.of(this) + "\n");
    return file;
  }
}
