package dev.xsched.cli.validate;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.worker.Interception;
import dev.xsched.cli.report.experiments.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Says in one line each what worked. */
final class Verdicts {
  private static final List<String> LEVELS = List.of("block", "deactivate", "interrupt");

  private Verdicts() {}

  static Part of(Interception seen) {
    String found =
        "%s under 'xsched run': %,d launches counted by the daemon, output %s without"
            .formatted(
                seen.program(),
                seen.launched(),
                seen.sameOutput() ? "the same as" : "DIFFERENT from that");
    return seen.proven()
        ? Part.worked("Interception", found)
        : Part.failed(
            "Interception",
            found + "; on HIP try XSCHED_HIP_TABLE=ON, see docs/amd-interception.md");
  }

  /**
   * The three levels: those that the daemon offers, and the latency that was measured of each.
   *
   * @param seen nothing if no program could be run
   */
  static List<Part> levels(Optional<Interception> seen, List<RunRecord> records) {
    List<Part> parts = new ArrayList<>();
    for (int level = 1; level <= LEVELS.size(); level++) {
      parts.add(level(level, seen, records));
    }
    return parts;
  }

  /** One that was asked for and is not there was not measured, whatever a record says of it. */
  private static Part level(int level, Optional<Interception> seen, List<RunRecord> records) {
    String name = "Level %d, %s".formatted(level, LEVELS.get(level - 1));
    Optional<String> measured =
        records.stream().flatMap(record -> latency(record, level).stream()).findFirst();
    boolean offered = level == 1 || seen.filter(s -> s.levels().contains(level)).isPresent();
    if (measured.isPresent() && offered) {
      return Part.worked(name, measured.get());
    }
    if (seen.isEmpty() || level == 1) {
      return Part.failed(name, "not measured");
    }
    String reason = level == 3 ? seen.get().mechanism() : "";
    return Part.leftOut(
        name,
        (offered ? "offered by the daemon, and its latency was not measured" : "not offered here")
            + (reason.isEmpty() ? "" : ": " + reason));
  }

  private static Optional<String> latency(RunRecord record, int level) {
    if (record.state() != RunRecord.State.COMPLETE) {
      return Optional.empty();
    }
    Optional<Double> p99 = micros(record, 99, level);
    return p99.map(
        micros ->
            String.format(
                Locale.ROOT,
                "preempted in %,.1f us (P99%s), experiment %s",
                micros,
                micros(record, 50, level)
                    .map(p50 -> String.format(Locale.ROOT, "; P50 %,.1f", p50))
                    .orElse(""),
                record.testId()));
  }

  /** As 7.3.1, 4.1.1 and N.3 name it; where there are several command times, of half a ms. */
  private static Optional<Double> micros(RunRecord record, int percentile, int level) {
    Pattern names =
        Pattern.compile(
            "(preemption|felt)_p%d_us_level_%d(_command_\\d+)?".formatted(percentile, level));
    return record.results().entrySet().stream()
        .filter(e -> e.getValue() instanceof Double && names.matcher(e.getKey()).matches())
        .min(Comparator.comparing(e -> !e.getKey().endsWith("_command_500")))
        .map(e -> (Double) e.getValue());
  }

  /** Whether it could be measured; goals that were missed are told, and are no failure. */
  static Part of(RunRecord record) {
    String name = "%s %s".formatted(record.testId(), record.testName());
    if (record.state() != RunRecord.State.COMPLETE) {
      return Part.failed(
          name,
          record.notes().isEmpty()
              ? record.state().name().toLowerCase(Locale.ROOT)
              : record.notes().getLast());
    }
    List<String> missed =
        record.deciding().stream().filter(c -> !c.pass()).map(Criterion::name).toList();
    int all = record.deciding().size();
    return Part.worked(
        name,
        "%d of %d goals met%s"
            .formatted(
                all - missed.size(),
                all,
                missed.isEmpty()
                    ? ""
                    : missed.stream().collect(Collectors.joining("; ", ", not: ", ""))));
  }
}
