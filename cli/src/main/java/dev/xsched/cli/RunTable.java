package dev.xsched.cli;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.bench.StandIns;
import java.util.Locale;

/** Prints what a record says, for people: the verdict, then each criterion. */
final class RunTable {
  private RunTable() {}

  static void print(Terminal terminal, ResultRecord record) {
    var out = terminal.out();
    out.println(
        "%-7s %-6s %s%s"
            .formatted(
                verdict(record),
                record.testId(),
                terminal.bold(record.testName()),
                StandIns.isOne(record.hardware())
                    ? " (%s)".formatted(StandIns.NOTE)
                    : record.simulated() ? " (simulated)" : ""));
    for (Criterion criterion : record.criteria()) {
      out.println(
          "  %-7s %-52s %12s   goal %s%s"
              .formatted(
                  mark(criterion),
                  criterion.name(),
                  number(criterion.value()),
                  criterion.goal(),
                  criterion.paper() == null ? "" : ", paper " + criterion.paper()));
    }
    if (!record.state().equals(ResultRecord.COMPLETE)) {
      record.notes().stream()
          .filter(n -> n.startsWith(record.state()))
          .forEach(n -> out.println("  " + n));
    }
    out.flush();
  }

  static String verdict(ResultRecord record) {
    if (!record.state().equals(ResultRecord.COMPLETE)) {
      return record.state().toUpperCase(Locale.ROOT);
    }
    return record.pass() ? "pass" : "MISSED";
  }

  private static String mark(Criterion criterion) {
    if (criterion.pass()) {
      return "met";
    }
    return criterion.goalOnly() ? "goal" : "MISSED";
  }

  static String number(double value) {
    if (Double.isNaN(value)) {
      return "-";
    }
    return String.format(Locale.ROOT, Math.abs(value) < 100 ? "%.3f" : "%,.1f", value);
  }
}
