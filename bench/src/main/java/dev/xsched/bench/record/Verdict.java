package dev.xsched.bench.record;

import java.util.Locale;

/** What became of a criterion. A run that proves nothing meets nothing, whatever its numbers. */
public enum Verdict {
  MET,
  MISSED,
  PARTIAL,
  INVALID;

  public static Verdict of(RunRecord record, RunRecord.Criterion criterion) {
    return switch (record.state()) {
      case INVALID -> INVALID;
      case PARTIAL -> PARTIAL;
      case COMPLETE -> criterion.pass() ? MET : MISSED;
    };
  }

  /** Of a whole record: met only if every criterion that decides is. */
  public static Verdict of(RunRecord record) {
    return switch (record.state()) {
      case INVALID -> INVALID;
      case PARTIAL -> PARTIAL;
      case COMPLETE ->
          record.deciding().stream().allMatch(RunRecord.Criterion::pass) ? MET : MISSED;
    };
  }

  /** As the report says it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
