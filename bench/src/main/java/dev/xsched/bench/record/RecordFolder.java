package dev.xsched.bench.record;

import java.io.IOException;
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
  /** Reads every file whose name ends with .json, in folders below, too. */
  public static RecordFolder read(Path folder) throws IOException {
    List<RunRecord> records = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (Path file : files(folder)) {
      String name = folder.relativize(file).toString();
      try {
        records.add(RecordReader.read(file, name));
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
}
