package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.scene.GrowthOutcome;
import dev.xsched.bench.scene.GrowthOutcome.Size;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * N.7: bursts beside work that never pauses, for minutes, and neither daemon nor programs grow. The
 * first fifth is left to warm up; then the second is compared with the last.
 */
final class Endurance implements Experiment {
  private static final int PARTS = 5;
  private static final double KILOBYTES = 1_024;
  private static final double MOST_PERCENT = 2;
  private static final double MOST_MEGABYTES = 4;

  @Override
  public String id() {
    return "N.7";
  }

  @Override
  public String title() {
    return "Endurance: nothing grows under bursts";
  }

  @Override
  public String figure() {
    return "";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return extent.quick() ? Duration.ofMinutes(1) : Duration.ofMinutes(5);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Duration length = typicalLength(director.extent());
    findings.configure("length", length.toSeconds() + " s");
    judge(director.stage().endure(length), findings);
  }

  static void judge(GrowthOutcome outcome, Findings findings) {
    outcome.notes().forEach(findings::note);
    outcome.faults().forEach(findings::note);
    findings.put("results_checked", outcome.resultsChecked());
    findings.put("results_wrong", outcome.resultsWrong());
    outcome.samples().forEach((process, sizes) -> judge(process, sizes, findings));
    findings.holds(
        "wrong results",
        "0 of at least 1",
        Measure.exactly((double) outcome.resultsWrong()),
        outcome.resultsWrong() == 0 && outcome.resultsChecked() > 0,
        null);
    findings.holds(
        "faults", "0", Measure.exactly(outcome.faults().size()), outcome.faults().isEmpty(), null);
  }

  private static void judge(String process, List<Size> sizes, Findings findings) {
    if (sizes.size() < PARTS) {
      findings.invalid("%s was seen for %d s only".formatted(process, sizes.size()));
      return;
    }
    draw(process, sizes, findings);
    does(process, "descriptors", sizes, Size::descriptors, findings);
    does(process, "maps", sizes, Size::maps, findings);
    does(process, "threads", sizes, Size::threads, findings);
    double before = medianMegabytes(early(sizes));
    double grown = medianMegabytes(late(sizes)) - before;
    findings.put("resident_mb_" + process, before);
    findings.put("resident_mb_grown_" + process, grown);
    double most = Math.max(MOST_MEGABYTES, before * MOST_PERCENT / 100);
    findings.holds(
        "memory that %s has more".formatted(process),
        "< %.1f MB (2 %%, or 4 MB)".formatted(most),
        Measure.exactly(grown),
        grown < most,
        null);
  }

  private static void does(
      String process,
      String what,
      List<Size> sizes,
      ToLongFunction<Size> count,
      Findings findings) {
    long before = least(early(sizes), count);
    long grown = least(late(sizes), count) - before;
    findings.put("%s_%s".formatted(what, process), before);
    findings.holds(
        "%s that %s has more".formatted(what, process),
        "at most 0",
        Measure.exactly((double) grown),
        grown <= 0,
        null);
  }

  private static List<Size> early(List<Size> sizes) {
    int part = sizes.size() / PARTS;
    return sizes.subList(part, 2 * part);
  }

  private static List<Size> late(List<Size> sizes) {
    return sizes.subList(sizes.size() - sizes.size() / PARTS, sizes.size());
  }

  /** What is there for a moment only, such as a thread of the compiler, is no growth. */
  private static long least(List<Size> sizes, ToLongFunction<Size> value) {
    return sizes.stream().mapToLong(value).min().orElse(0);
  }

  private static double medianMegabytes(List<Size> sizes) {
    long[] sorted = sizes.stream().mapToLong(Size::residentKilobytes).sorted().toArray();
    return sorted[sorted.length / 2] / KILOBYTES;
  }

  private static void draw(String process, List<Size> sizes, Findings findings) {
    List<List<Object>> points = new ArrayList<>();
    for (int i = 0; i < sizes.size(); i++) {
      points.add(List.of(i + 1, sizes.get(i).residentKilobytes() / KILOBYTES));
    }
    Figure figure = new Figure("N.7", null, "MB", "time (s)", "resident memory (MB)");
    findings.series().add(figure.line(process, Figure.MEASURED, points));
  }
}
