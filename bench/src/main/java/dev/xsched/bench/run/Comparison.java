package dev.xsched.bench.run;

import dev.xsched.bench.record.RunRecord;
import dev.xsched.bench.record.RunRecord.Criterion;
import dev.xsched.bench.record.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One criterion in two records of the same experiment on the same device.
 *
 * @param ratio what came after by what was before; NaN if there is none
 * @param verdict "met", "missed", or how it changed; and which record cannot be relied on
 */
public record Comparison(
    String testId,
    String device,
    String criterion,
    double before,
    double after,
    double ratio,
    String verdict,
    boolean worse) {

  /** Pairs records by experiment and device, and their criteria by name. */
  public static List<Comparison> of(List<RunRecord> before, List<RunRecord> after) {
    List<Comparison> rows = new ArrayList<>();
    for (RunRecord old : latest(before)) {
      latest(after).stream()
          .filter(r -> same(r, old))
          .findFirst()
          .ifPresent(now -> compare(rows, old, now));
    }
    return rows;
  }

  private static void compare(List<Comparison> rows, RunRecord old, RunRecord now) {
    for (Criterion was : old.criteria()) {
      Optional<Criterion> is =
          now.criteria().stream().filter(c -> c.name().equals(was.name())).findFirst();
      if (is.isPresent()) {
        Verdict first = Verdict.of(old, was);
        Verdict second = Verdict.of(now, is.get());
        rows.add(
            new Comparison(
                old.testId(),
                old.device(),
                was.name(),
                was.number(),
                is.get().number(),
                is.get().number() / was.number(),
                verdict(first, second),
                first == Verdict.MET && second != Verdict.MET && !was.goalOnly()));
      }
    }
  }

  private static String verdict(Verdict before, Verdict after) {
    return before == after ? after.word() : "%s -> %s".formatted(before.word(), after.word());
  }

  private static boolean same(RunRecord a, RunRecord b) {
    return a.testId().equals(b.testId()) && a.device().equals(b.device());
  }

  /** The newest of each experiment and device. */
  private static List<RunRecord> latest(List<RunRecord> records) {
    return records.stream()
        .filter(
            r -> records.stream().noneMatch(o -> same(o, r) && o.date().compareTo(r.date()) > 0))
        .toList();
  }
}
