package dev.xsched.bench.experiment;

import static dev.xsched.bench.experiment.Scenes.MPS;
import static dev.xsched.bench.experiment.Scenes.NATIVE;
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
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * N.3: what a program feels of preemption. A tiny kernel comes at random moments beside kernels of
 * one length without a pause; felt is its latency less the median that it has alone. Figure 11
 * measures how long a queue takes to stop, this one what the other side has of it.
 *
 * <p>One level after the other and not by turns: programs of two levels on one GPU would all be
 * scheduled by the lower one.
 */
final class PreemptionFelt implements Experiment {
  static final String HIGH = "high";
  static final String LOW = "low";
  static final String LEVEL_3 = "level 3";
  static final String AUTO = "auto";
  static final List<Integer> MICROS = List.of(10, 100, 500, 2_000, 10_000, 50_000, 400_000);

  /** Under whose control, and what records call it. */
  private record Mode(String label, Control control) {}

  /** In the order in which they are played; one more level is one more line. */
  private static final List<Mode> MODES =
      List.of(
          new Mode(NATIVE, OnNvidia.NATIVELY),
          new Mode(MPS, OnNvidia.UNDER_MPS),
          new Mode(AUTO, OnNvidia.HPF_AUTO),
          new Mode("level 1", OnNvidia.HPF_AUTO.at(Level.BLOCK)),
          new Mode(LEVEL_3, OnNvidia.HPF_AUTO.at(Level.INTERRUPT)));

  private static final Duration PERIOD = Duration.ofMillis(6);

  /** What comes while the last one still waits is left out: it would feel that one's wait. */
  private static final Pattern PACE =
      new Pattern.Paced(PERIOD, new Pattern.Spacing.Around(0.9), Pattern.WhenBusy.DROP);

  private static final Duration WARM_UP = Duration.ofMillis(100);

  /** Shorter kernels are over before an interrupt takes effect. */
  private static final int FLAT_FROM = 500;

  /** Launching kernel by kernel and waiting for each would leave gaps between short ones. */
  private static final Duration REQUEST = Duration.ofMillis(2);

  @Override
  public String id() {
    return "N.3";
  }

  @Override
  public String title() {
    return "NVIDIA: preemption as a program feels it, by level";
  }

  @Override
  public String figure() {
    return "N.3";
  }

  /** For more than 150 samples, or for 1000. */
  private static Duration length(Extent extent) {
    return PERIOD.multipliedBy(extent.quick() ? 160 : 1_000);
  }

  @Override
  public Duration typicalLength(Extent extent) {
    return length(extent).plus(WARM_UP).multipliedBy((long) MODES.size() * MICROS.size() + 1);
  }

  @Override
  public void run(Director director, Findings findings)
      throws StageException, InterruptedException {
    Duration length = length(director.extent());
    director.amongThemselves(
        new Scenes(WARM_UP, length).add(STANDALONE, OnNvidia.NATIVELY, high()).list(), 1);
    for (Mode mode : MODES) {
      for (int micros : MICROS) {
        // One by one, so that the same two programs play all lengths.
        director.amongThemselves(List.of(scene(mode, micros, length)), 1);
      }
    }
    judge(director.played(), findings);
  }

  private static Party high() {
    return Party.of(HIGH, new Workload.TinyKernels(1), PACE).with(Hint.PRIORITY, OnNvidia.HIGH);
  }

  static String label(String level, int micros) {
    return "%s beside %s ms".formatted(level, millis(micros));
  }

  private static String millis(int micros) {
    return micros < 1_000 ? Double.toString(micros / 1e3) : Integer.toString(micros / 1_000);
  }

  private static Scene scene(Mode mode, int micros, Duration length) {
    Duration each = Duration.ofNanos(1_000L * micros);
    int count = (int) Math.max(1, REQUEST.dividedBy(each));
    Party low = Party.of(LOW, new Workload.Commands(each, count), new Pattern.Continuous());
    return new Scene(
        label(mode.label(), micros), mode.control(), List.of(low, high()), WARM_UP, length, 0);
  }

  static List<String> levels() {
    return MODES.stream().map(Mode::label).toList();
  }

  /** Not each machine has MPS. */
  private static List<String> levels(Runs runs) {
    return levels().stream()
        .filter(level -> !level.equals(MPS) || runs.has(label(level, MICROS.getFirst())))
        .toList();
  }

  static void judge(Runs runs, Findings findings) {
    double alone = runs.percentile(50, STANDALONE, HIGH).value();
    findings.put("alone_p50_us", 1e3 * alone);
    findings.put("alone_p99_us", runs.percentile(99, STANDALONE, HIGH).map(ms -> 1e3 * ms));
    Figure typical = curve("median", "P50 felt (ms)");
    Figure tail = curve("99th percentile", "P99 felt (ms)");
    for (String level : levels(runs)) {
      add(typical, points(runs, 50, level, alone), level, findings);
      add(tail, points(runs, 99, level, alone), level, findings);
      for (int micros : MICROS) {
        String name = "%s_command_%d".formatted(level.replace(' ', '_'), micros);
        findings.put("felt_p50_us_" + name, felt(runs, 50, level, micros, alone, 1e3));
        findings.put("felt_p99_us_" + name, felt(runs, 99, level, micros, alone, 1e3));
      }
    }
    Validity.contention(
        findings,
        runs,
        levels(runs).stream()
            .flatMap(level -> MICROS.stream().map(micros -> label(level, micros)))
            .toArray(String[]::new));
    double middle = felt(runs, 50, LEVEL_3, FLAT_FROM, alone, 1).value();
    findings.below(
        "level 3, P50 felt at 400 ms against 0.5 ms (1 is flat)",
        felt(runs, 50, LEVEL_3, MICROS.getLast(), alone, 1)
            .map(ms -> middle > 0 ? ms / middle : Double.NaN),
        1.5,
        "x",
        null);
    Measure worst = worst(runs, alone);
    findings.below(
        "P99 felt, the better of auto and level 3, worst length", worst, 0.7, "ms", null);
    findings.goalBelow("the same", worst, 0.3, "ms", null);
  }

  private static Figure curve(String panel, String yLabel) {
    return new Figure("N.3", panel, "ms", "kernel time of the other program (ms)", yLabel);
  }

  private static void add(
      Figure figure, List<List<Object>> points, String level, Findings findings) {
    if (!points.isEmpty()) {
      findings.series().add(figure.line(level, Figure.MEASURED, points));
    }
  }

  private static List<List<Object>> points(Runs runs, double percent, String level, double alone) {
    List<List<Object>> points = new ArrayList<>();
    for (int micros : MICROS) {
      double felt = felt(runs, percent, level, micros, alone, 1).value();
      if (!Double.isNaN(felt)) {
        points.add(List.of(micros / 1e3, felt));
      }
    }
    return points;
  }

  private static Measure felt(
      Runs runs, double percent, String level, int micros, double alone, double scale) {
    return runs.percentile(percent, label(level, micros), HIGH).map(ms -> scale * (ms - alone));
  }

  /** Of all lengths, that of which the better one is worst; one with a flaw is worse than any. */
  private static Measure worst(Runs runs, double alone) {
    Comparator<Measure> byValue =
        Comparator.comparing((Measure m) -> !m.sound()).thenComparingDouble(Measure::value);
    return MICROS.stream()
        .map(
            micros ->
                Stream.of(AUTO, LEVEL_3)
                    .map(level -> felt(runs, 99, level, micros, alone, 1))
                    .min(byValue)
                    .orElseThrow())
        .max(byValue)
        .orElseThrow();
  }
}
