package dev.xsched.bench;

import dev.xsched.json.Json;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Where records lie: one JSON file each, which is there as a whole or not at all. */
public final class RecordFiles {
  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private RecordFiles() {}

  /** Writes into a file if the name ends with .json, else under a name of its own into a folder. */
  public static Path write(ResultRecord record, Path where) throws IOException {
    if (where.toString().endsWith(".json")) {
      return replace(record, where);
    }
    return add(record, where);
  }

  /** Writes under a name of its own into a folder. */
  public static Path add(ResultRecord record, Path folder) throws IOException {
    Files.createDirectories(folder);
    return replace(
        record,
        folder.resolve("%s-%s.json".formatted(record.testId(), FILE_TIME.format(record.date()))));
  }

  /** Writes a file in place of an earlier one. If that fails, the earlier one is still there. */
  public static Path replace(ResultRecord record, Path file) throws IOException {
    Path half = file.resolveSibling("." + file.getFileName() + ".tmp");
    try {
      Files.writeString(half, Json.of(record) + "\n");
      move(half, file);
    } finally {
      Files.deleteIfExists(half);
    }
    return file;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException _) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
