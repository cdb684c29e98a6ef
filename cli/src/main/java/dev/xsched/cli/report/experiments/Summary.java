package dev.xsched.cli.report.experiments;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.Verdict;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How many criteria are met. Simulated ones are never added to measured ones. */
record Summary(List<RunRecord> records) {
  /** One kind of records. */
  record Count(String kind, Map<Verdict, Integer> verdicts, int goals, int goalsMet, String where) {
    int all() {
      return verdicts.values().stream().mapToInt(n -> n).sum();
    }

    String headline() {
      return "%d of %d criteria met".formatted(verdicts.getOrDefault(Verdict.MET, 0), all());
    }

    /** What else there is to say, in a few words. */
    String rest() {
      List<String> parts = new ArrayList<>();
      verdicts.forEach(
          (verdict, n) -> {
            if (verdict != Verdict.MET) {
              parts.add(n + " " + verdict.word());
            }
          });
      if (goals > 0) {
        parts.add("%d of %d stretch goals reached".formatted(goalsMet, goals));
      }
      return String.join(", ", parts);
    }

    String line() {
      String rest = rest().isEmpty() ? "" : " (" + rest() + ")";
      return "%s: %s%s, on %s".formatted(kind, headline(), rest, where);
    }
  }

  /** Measured first; a kind without records is left out. */
  List<Count> counts() {
    return Stream.of(false, true)
        .map(simulated -> records.stream().filter(r -> r.simulated() == simulated).toList())
        .filter(some -> !some.isEmpty())
        .map(Summary::count)
        .toList();
  }

  private static Count count(List<RunRecord> records) {
    Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
    int goals = 0;
    int goalsMet = 0;
    for (RunRecord record : records) {
      for (Criterion criterion : record.criteria()) {
        Verdict verdict = Verdict.of(record, criterion);
        if (criterion.goalOnly()) {
          goals++;
          goalsMet += verdict == Verdict.MET ? 1 : 0;
        } else {
          verdicts.merge(verdict, 1, Integer::sum);
        }
      }
    }
    return new Count(
        records.getFirst().simulated() ? "Simulated" : "Measured",
        verdicts,
        goals,
        goalsMet,
        distinct(records.stream().map(RunRecord::device)));
  }

  /** Which sources and which days the numbers come from. */
  String origin() {
    List<String> days =
        records.stream()
            .map(RunRecord::date)
            .filter(date -> date.length() >= 10)
            .map(date -> date.substring(0, 10))
            .sorted()
            .distinct()
            .toList();
    String when =
        days.isEmpty()
            ? "without a date"
            : days.size() == 1 ? days.getFirst() : days.getFirst() + " to " + days.getLast();
    String commits = distinct(records.stream().map(RunRecord::commit));
    return "%d %s, %s, commits %s"
        .formatted(
            records.size(),
            records.size() == 1 ? "record" : "records",
            when,
            commits.isEmpty() ? "unknown" : commits);
  }

  private static String distinct(Stream<String> texts) {
    return texts
        .filter(text -> !text.isBlank())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
