package dev.xsched.cli.validate;

import dev.xsched.bench.record.RecordFolder;
import dev.xsched.cli.Failure;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.cli.report.experiments.Part;
import dev.xsched.cli.report.experiments.Preface;
import dev.xsched.cli.report.experiments.ReportFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is sent back: records, report and environment, without anything private, and the archive of
 * them.
 *
 * @param page the report
 */
public record Parcel(Path page, Path archive) {
  private static final String MACHINE = "/proc/sys/kernel/hostname";

  /**
   * Packs what a validation left in its folder.
   *
   * @param home the folder of this installation
   */
  public static Parcel of(
      Path out, String device, List<Part> parts, List<Finding> findings, String home)
      throws IOException, Failure {
    return of(
        out,
        device,
        parts,
        findings,
        new Privacy(
            home,
            System.getProperty("user.home", ""),
            System.getProperty("user.name", ""),
            Files.isReadable(Path.of(MACHINE)) ? Files.readString(Path.of(MACHINE)).strip() : ""));
  }

  static Parcel of(
      Path out, String device, List<Part> parts, List<Finding> findings, Privacy privacy)
      throws IOException, Failure {
    List<Path> files = new ArrayList<>(below(out.resolve("records"), ".json"));
    files.add(out.resolve("environment.json"));
    for (Path file : files) {
      Files.writeString(file, privacy.hide(Files.readString(file)));
    }
    // The report is made of what was cleaned.
    Path page =
        ReportFiles.write(
            preface(parts, findings, privacy), RecordFolder.read(out.resolve("records")), out);
    files.add(out.resolve("report.html"));
    files.add(out.resolve("report.md"));
    files.addAll(below(out.resolve("report-data"), ""));
    String name = "xsched-validate-" + device;
    Path archive = out.resolve(name + ".tar.gz");
    Archive.write(archive, name, out, files, Instant.now().getEpochSecond());
    return new Parcel(page, archive.toAbsolutePath().normalize());
  }

  private static Preface preface(List<Part> parts, List<Finding> findings, Privacy privacy) {
    Map<String, String> environment = new LinkedHashMap<>();
    for (Finding finding : findings) {
      String remedy = finding.remedy().isEmpty() ? "" : " -> " + finding.remedy();
      environment.merge(
          finding.check(),
          privacy.hide("%s: %s%s".formatted(finding.state(), finding.found(), remedy)),
          (one, other) -> one + "; " + other);
    }
    return new Preface(
        parts.stream()
            .map(part -> new Part(part.name(), part.state(), privacy.hide(part.found())))
            .toList(),
        environment);
  }

  private static List<Path> below(Path folder, String ending) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }
}
