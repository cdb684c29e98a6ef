package dev.xsched.bench.run;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.ResultRecord.Criterion;
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
  public static List<Comparison> of(List<ResultRecord> before, List<ResultRecord> after) {
    List<Comparison> rows = new ArrayList<>();
    for (ResultRecord old : latest(before)) {
      latest(after).stream()
          .filter(r -> same(r, old))
          .findFirst()
          .ifPresent(now -> compare(rows, old, now));
    }
    return rows;
  }

  private static void compare(List<Comparison> rows, ResultRecord old, ResultRecord now) {
    for (Criterion was : old.criteria()) {
      Optional<Criterion> is =
          now.criteria().stream().filter(c -> c.name().equals(was.name())).findFirst();
      if (is.isPresent()) {
        boolean worse = counts(old, was) && !counts(now, is.get());
        rows.add(
            new Comparison(
                old.testId(),
                old.device(),
                was.name(),
                was.value(),
                is.get().value(),
                is.get().value() / was.value(),
                verdict(old, was, now, is.get()),
                worse && !was.goalOnly()));
      }
    }
  }

  /** A criterion of a record that is not complete is not met, whatever it says. */
  private static boolean counts(ResultRecord record, Criterion criterion) {
    return criterion.pass() && record.state().equals(ResultRecord.COMPLETE);
  }

  private static String verdict(ResultRecord old, Criterion was, ResultRecord now, Criterion is) {
    String first = verdict(old, was);
    String second = verdict(now, is);
    return first.equals(second) ? first : "%s -> %s".formatted(first, second);
  }

  private static String verdict(ResultRecord record, Criterion criterion) {
    if (!record.state().equals(ResultRecord.COMPLETE)) {
      return record.state();
    }
    return criterion.pass() ? "met" : "missed";
  }

  private static boolean same(ResultRecord a, ResultRecord b) {
    return a.testId().equals(b.testId()) && a.device().equals(b.device());
  }

  /** The newest of each experiment and device. */
  private static List<ResultRecord> latest(List<ResultRecord> records) {
    return records.stream()
        .filter(r -> records.stream().noneMatch(o -> same(o, r) && o.date().isAfter(r.date())))
        .toList();
  }
}
