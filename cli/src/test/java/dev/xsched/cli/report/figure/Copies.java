package dev.xsched.cli.report.figure;

import dev.xsched.bench.record.Curve;
import dev.xsched.bench.record.RunRecord;
import java.util.List;

/** Records that differ from another in a few things. */
final class Copies {
  private Copies() {}

  static RunRecord of(RunRecord of, String file, String date, boolean quick) {
    return of(of, file, date, quick, of.series());
  }

  static RunRecord of(RunRecord of, List<Curve> series) {
    return of(of, of.file(), of.date(), of.quick(), series);
  }

  private static RunRecord of(
      RunRecord of, String file, String date, boolean quick, List<Curve> series) {
    return new RunRecord(
        file,
        of.testId(),
        of.testName(),
        date,
        of.hardware(),
        of.runtime(),
        of.version(),
        of.commit(),
        of.command(),
        of.device(),
        of.simulated(),
        quick,
        of.state(),
        of.configuration(),
        of.results(),
        series,
        of.criteria(),
        of.notes());
  }
}
