package dev.xsched.cli.report.record;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * All records below a folder, in the order of the report.
 *
 * @param skipped the files that are no records, each with the reason
 */
public record RecordFolder(List<RunRecord> records, List<String> skipped) {
  /** No record is as large as this; something else is. */
  private static final long LARGEST = 64L << 20;

  /** Reads every file whose name ends with .json, in folders below, too. */
  public static RecordFolder read(Path folder) throws IOException {
    List<RunRecord> records = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (Path file : files(folder)) {
      String name = folder.relativize(file).toString();
      try {
        records.add(RecordReader.read(name, content(file)));
      } catch (IllegalArgumentException e) {
        skipped.add("%s (%s)".formatted(name, e.getMessage()));
      }
    }
    records.sort(
        Comparator.comparing(RunRecord::testId, TestOrder.BY_CHAPTER)
            .thenComparing(RunRecord::simulated)
            .thenComparing(RunRecord::device)
            .thenComparing(RunRecord::quick)
            .thenComparing(RunRecord::date)
            .thenComparing(RunRecord::file));
    return new RecordFolder(records, skipped);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.getFileName().toString().endsWith(".json"))
          .filter(Files::isRegularFile)
          .sorted()
          .toList();
    }
  }

  private static String content(Path file) throws IOException {
    if (Files.size(file) > LARGEST) {
      throw new IllegalArgumentException("larger than any record");
    }
    try {
      return Files.readString(file);
    } catch (MalformedInputException e) {
      throw new IllegalArgumentException("no UTF-8", e);
    }
  }
}
