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

/**
 * 7.3.1, figure 11a: how long it takes until the device has left a suspended task, by level. The
 * task launches commands of half a millisecond without end, 8 in flight.
 */
final class PreemptionByLevel implements Experiment {
  private static final Duration COMMAND = Duration.ofNanos(500_000);

  @Override
  public String id() {
    return "7.3.1";
  }

  @Override
  public String title() {
    return "Preemption latency by level";
  }

  @Override
  public String figure() {
    return "11a";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return COMMAND.multipliedBy(20L * 3 * Suspensions.times(extent));
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Suspensions suspensions = new Suspensions(director, findings);
    Measure command = suspensions.commandMicros(COMMAND);
    Map<Level, Measure> p99 = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      if (suspensions.has(level)) {
        p99.put(level, suspensions.p99Micros(level, COMMAND));
      }
    }
    judge(p99, command, findings);
  }

  /** In multiples of the time that a command really takes. */
  static void judge(Map<Level, Measure> p99, Measure command, Findings findings) {
    List<List<Object>> bars = new ArrayList<>();
    p99.forEach(
        (level, micros) -> {
          findings.put("preemption_p99_us_level_" + level.number(), micros);
          bars.add(List.of("Lv" + level.number(), micros.value() / 1e3));
        });
    Figure figure = Figure.ofBars("11a", null, "ms", "P99 preemption latency (ms)");
    findings.series().add(figure.bars("measured", Figure.MEASURED, bars));
    findings.series().add(figure.bars("paper gv100", Figure.PAPER, paperBars()));
    Measure block = p99.getOrDefault(Level.BLOCK, Measure.exactly(Double.NaN));
    findings.within(
        "level 1 P99, in commands (8 in flight)",
        block.map(us -> us / command.value()),
        4,
        9,
        "commands",
        "10.6 T, of commands that took 1.3 T");
    Measure deactivate = p99.get(Level.DEACTIVATE);
    if (deactivate != null) {
      findings.below(
          "level 2 P99, in commands",
          deactivate.map(us -> us / command.value()),
          1.5,
          "commands",
          "1.3 T");
    }
    Measure interrupt = p99.get(Level.INTERRUPT);
    if (interrupt != null) {
      findings.holds(
          "level 3 P99 below level 1, us",
          "< level 1",
          interrupt,
          interrupt.value() < block.value(),
          "36 us");
      findings.goalBelow("level 3 P99", interrupt, 100, "us", "36 us on GV100");
    }
  }

  private static List<List<Object>> paperBars() {
    return Paper.rows("preemption_latency.csv", "T_us", "500").stream()
        .map(row -> List.<Object>of("Lv" + row.text("level"), row.number("p99") / 1e3))
        .toList();
  }
}
