package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.STANDALONE;

import dev.xsched.bench.judge.Figure;
import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Runs;
import dev.xsched.bench.judge.Validity;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.Party;
import dev.xsched.bench.scene.Pattern;
import dev.xsched.bench.scene.Scene;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * 4.1.1: an AMD GPU saves the waves of a running kernel (CWSR); level 3 against level 1, as in
 * 7.3.1: a task launches commands without end, 8 in flight, and is preempted at random moments.
 *
 * <p>Level 1, and on virtual time level 3, is measured as there: from a queue's suspend until the
 * device has left it. A real driver takes a whole program off the device and tells nobody when the
 * waves were saved; so there a tiny kernel of a second program comes at random moments, and what
 * counts is by how much later it ends than alone. That has the way through the daemon in it.
 */
final class SavedWaves implements Experiment {
  static final String HIGH = "high";
  static final String LOW = "low";
  static final List<Integer> MICROS = List.of(500, 2_000);

  private static final int SHORT = MICROS.getFirst();
  private static final int LONG = MICROS.getLast();
  private static final long PRIORITY = 10;
  private static final Duration WARM_UP = Duration.ofMillis(300);

  /** So many commands pass between two kernels: level 1 is over by then. */
  private static final int COMMANDS_BETWEEN = 12;

  /** About as long as 7.3.1's tasks are fed between two suspends. */
  private static final Duration LEAST_PERIOD = Duration.ofMillis(6);

  @Override
  public String id() {
    return "4.1.1";
  }

  @Override
  public String title() {
    return "AMD: saved waves (level 3) against level 1";
  }

  @Override
  public String figure() {
    return "4.1.1";
  }

  @Override
  public Duration typicalLength(Extent extent) {
    Duration sum = length(SHORT, extent);
    for (int micros : MICROS) {
      Duration suspends =
          Duration.ofNanos(1_000L * micros).multipliedBy(20L * Suspensions.times(extent));
      sum = sum.plus(suspends).plus(length(micros, extent));
    }
    return sum;
  }

  private static Duration period(int micros) {
    Duration some = Duration.ofNanos(1_000L * micros * COMMANDS_BETWEEN);
    return some.compareTo(LEAST_PERIOD) < 0 ? LEAST_PERIOD : some;
  }

  /** For more than 100 samples, also where some come while the last one still waits. */
  private static Duration length(int micros, Extent extent) {
    return period(micros).multipliedBy(extent.quick() ? 160 : 1_000);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Suspensions suspensions = new Suspensions(director, findings);
    boolean suspends = director.stage().levels().contains(Level.INTERRUPT);
    findings.configure(
        "level_3",
        suspends
            ? "from a queue's suspend until the device has left it, as level 1"
            : "how much later than alone a tiny kernel of a second program ends");
    Map<Level, Map<Integer, Measure>> p99 = new EnumMap<>(Level.class);
    p99.put(Level.BLOCK, suspended(suspensions, Level.BLOCK));
    p99.put(
        Level.INTERRUPT,
        suspends ? suspended(suspensions, Level.INTERRUPT) : felt(director, findings));
    judge(p99, findings);
  }

  private static Map<Integer, Measure> suspended(Suspensions suspensions, Level level)
      throws StageException, InterruptedException {
    Map<Integer, Measure> p99 = new TreeMap<>();
    for (int micros : MICROS) {
      p99.put(micros, suspensions.p99Micros(level, Duration.ofNanos(1_000L * micros)));
    }
    return p99;
  }

  private static Map<Integer, Measure> felt(Director director, Findings findings)
      throws StageException, InterruptedException {
    Extent extent = director.extent();
    director.amongThemselves(
        new Scenes(WARM_UP, length(SHORT, extent))
            .add(STANDALONE, new Control.Native(), high(SHORT))
            .list(),
        1);
    for (int micros : MICROS) {
      // One by one, so that the same two programs play all lengths.
      director.amongThemselves(List.of(scene(micros, extent)), 1);
    }
    return felt(director.played(), findings);
  }

  private static Party high(int micros) {
    Pattern pace =
        new Pattern.Paced(period(micros), new Pattern.Spacing.Around(0.9), Pattern.WhenBusy.DROP);
    return Party.of(HIGH, new Workload.TinyKernels(1), pace).with(Hint.PRIORITY, PRIORITY);
  }

  static String label(int micros) {
    return "level 3, commands of %d us".formatted(micros);
  }

  private static Scene scene(int micros, Extent extent) {
    Workload commands = new Workload.Commands(Duration.ofNanos(1_000L * micros), COMMANDS_BETWEEN);
    return new Scene(
        label(micros),
        Control.Scheduled.by("HPF").at(Level.INTERRUPT).with(Suspensions.WINDOW),
        List.of(Party.of(LOW, commands, new Pattern.Continuous()), high(micros)),
        WARM_UP,
        length(micros, extent),
        0);
  }

  /** P99 in microseconds by command time. */
  static Map<Integer, Measure> felt(Runs runs, Findings findings) {
    double alone = runs.percentile(50, STANDALONE, HIGH).value();
    findings.put("alone_p50_us", 1e3 * alone);
    Map<Integer, Measure> p99 = new TreeMap<>();
    for (int micros : MICROS) {
      findings.put(
          "preemption_p50_us_level_3_command_%d".formatted(micros),
          runs.percentile(50, label(micros), HIGH).map(ms -> 1e3 * (ms - alone)));
      p99.put(micros, runs.percentile(99, label(micros), HIGH).map(ms -> 1e3 * (ms - alone)));
    }
    Validity.contention(
        findings, runs, MICROS.stream().map(SavedWaves::label).toArray(String[]::new));
    return p99;
  }

  /** In microseconds, by level and command time. */
  static void judge(Map<Level, Map<Integer, Measure>> p99, Findings findings) {
    Figure figure =
        new Figure("4.1.1", null, "ms", "command time (ms)", "P99 preemption latency (ms)");
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
        });
    Measure interrupt = of(p99, Level.INTERRUPT, SHORT);
    findings.below(
        "level 3 P99, commands of 0.5 ms", interrupt, 100, "us", "36 us on GV100; MI308X goal 100");
    findings.above(
        "level 1 P99 against level 3, commands of 0.5 ms",
        of(p99, Level.BLOCK, SHORT).map(us -> us / interrupt.value()),
        40,
        "x",
        "MI308X goal: 4 ms against 0.1");
    findings.within(
        "level 3 P99 at 2 ms against 0.5 ms (1 is flat)",
        of(p99, Level.INTERRUPT, LONG).map(us -> us / interrupt.value()),
        0.5,
        1.5,
        "x",
        "0.9x on GV100");
  }

  private static Measure of(Map<Level, Map<Integer, Measure>> p99, Level level, int micros) {
    return p99.getOrDefault(level, Map.of()).getOrDefault(micros, Measure.exactly(Double.NaN));
  }
}
