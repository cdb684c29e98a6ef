package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.Verdict;
import dev.xsched.cli.report.figure.Figure;
import java.util.List;

/**
 * Everything that both forms of the report show.
 *
 * @param skipped files that are no records, each with the reason
 */
record Report(
    Preface preface, List<RunRecord> records, List<Figure> figures, List<String> skipped) {
  static final String TITLE = "XSched: the experiments";
  static final String DATA = "report-data";
  static final String WHAT_WORKED = "What worked";
  static final String ENVIRONMENT = "Environment";

  Summary summary() {
    return new Summary(records);
  }

  /** Where the numbers of a figure are, seen from the report. */
  static String csv(Figure figure) {
    return DATA + "/figure-" + figure.id() + ".csv";
  }

  /** Where a chart of a figure is as a picture of its own. */
  static String picture(Figure figure, int chart) {
    return "%s/figure-%s-%d.svg".formatted(DATA, figure.id(), chart + 1);
  }

  /** Such as "missed", and of a stretch goal that it is one. */
  static String verdict(RunRecord record, Criterion criterion) {
    String word = Verdict.of(record, criterion).word();
    return criterion.goalOnly() ? word + " (stretch goal)" : word;
  }

  /** The verdict on a whole record, and what it is founded on. */
  static String verdict(RunRecord record) {
    if (record.state() == RunRecord.State.COMPLETE && record.deciding().isEmpty()) {
      return "no criteria";
    }
    long met = record.deciding().stream().filter(Criterion::pass).count();
    return switch (Verdict.of(record)) {
      case INVALID -> "invalid";
      case PARTIAL -> "partial";
      case MET, MISSED -> "%d of %d met".formatted(met, record.deciding().size());
    };
  }

  /** Tells apart records of the same test and device. */
  boolean ambiguous(RunRecord record) {
    return records.stream()
            .filter(other -> other.testId().equals(record.testId()))
            .filter(other -> other.labelledDevice().equals(record.labelledDevice()))
            .count()
        > 1;
  }

  /** Test and device, with the date where these two are not enough. */
  String title(RunRecord record) {
    String title = "%s %s".formatted(record.testId(), record.testName()).strip();
    String when = ambiguous(record) ? ", " + record.date() : "";
    return "%s on %s%s".formatted(title, record.device(), when);
  }
}
