package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.scene.StageException;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * 7.3.2, figure 11b: preemption latency against the time of a command. Level 1 waits for all that
 * is in flight, so it is a straight line; level 3 does not depend on it.
 */
final class PreemptionByCommandTime implements Experiment {
  private static final List<Integer> MICROS = List.of(10, 100, 500, 1_000, 2_000);

  /** Shorter commands are over before an interrupt takes effect. */
  private static final int FLAT_FROM = 500;

  @Override
  public String id() {
    return "7.3.2";
  }

  @Override
  public String title() {
    return "Preemption latency against command time";
  }

  @Override
  public String figure() {
    return "11b";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    int sum = MICROS.stream().mapToInt(Integer::intValue).sum();
    return Duration.ofNanos(1_000L * sum * 20 * 3 * Suspensions.times(extent));
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Suspensions suspensions = new Suspensions(director, findings);
    Map<Integer, Measure> commands = new TreeMap<>();
    for (int micros : MICROS) {
      commands.put(micros, suspensions.commandMicros(Duration.ofNanos(1_000L * micros)));
    }
    Map<Level, Map<Integer, Measure>> p99 = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      if (suspensions.has(level)) {
        Map<Integer, Measure> ofLevel = new TreeMap<>();
        for (int micros : MICROS) {
          ofLevel.put(micros, suspensions.p99Micros(level, Duration.ofNanos(1_000L * micros)));
        }
        p99.put(level, ofLevel);
      }
    }
    judge(p99, commands, findings);
  }

  static void judge(
      Map<Level, Map<Integer, Measure>> p99, Map<Integer, Measure> commands, Findings findings) {
    Figure figure =
        new Figure("11b", null, "ms", "command time (ms)", "P99 preemption latency (ms)");
    p99.forEach(
        (level, times) -> {
          List<List<Object>> points = new ArrayList<>();
          times.forEach(
              (micros, measure) -> {
                findings.put(
                    "preemption_p99_us_level_%d_command_%d".formatted(level.number(), micros),
                    measure);
                points.add(List.of(micros / 1e3, measure.value() / 1e3));
              });
          findings.series().add(figure.line("Lv" + level.number(), Figure.MEASURED, points));
          findings.series().add(paperLine(figure, level));
        });
    Map<Integer, Measure> block = p99.getOrDefault(Level.BLOCK, Map.of());
    Measure longest = block.getOrDefault(2_000, Measure.exactly(Double.NaN));
    Measure middle = block.getOrDefault(500, Measure.exactly(Double.NaN));
    findings.within(
        "level 1 P99 at 2 ms against 0.5 ms (4 is a straight line)",
        ratio(longest, middle),
        3.2,
        4.8,
        "x",
        "4.0x");
    findings.within(
        "level 1 P99 at 2 ms, in commands (8 in flight)",
        ratio(longest, commands.getOrDefault(2_000, Measure.exactly(Double.NaN))),
        4,
        9,
        "commands",
        "10.6 T, of commands that took 1.3 T");
    Map<Integer, Measure> interrupt = p99.get(Level.INTERRUPT);
    if (interrupt != null) {
      Measure flat =
          ratio(
              interrupt.getOrDefault(2_000, Measure.exactly(Double.NaN)),
              interrupt.getOrDefault(FLAT_FROM, Measure.exactly(Double.NaN)));
      findings.within(
          "level 3 P99 at 2 ms against 0.5 ms (1 is flat)", flat, 0.5, 1.5, "x", "0.9x");
    }
  }

  private static Measure ratio(Measure above, Measure below) {
    return above.map(value -> value / below.value());
  }

  private static dev.xsched.bench.ResultRecord.Series paperLine(Figure figure, Level level) {
    List<List<Object>> points = new ArrayList<>();
    for (var row :
        Paper.rows("preemption_latency.csv", "level", Integer.toString(level.number()))) {
      if (row.integer("T_us") != 9_999) {
        points.add(List.of(row.integer("T_us") / 1e3, row.number("p99") / 1e3));
      }
    }
    return figure.line("Lv%d, paper gv100".formatted(level.number()), Figure.PAPER, points);
  }
}
