package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.judge.Measure;
import dev.xsched.bench.judge.Samples;
import dev.xsched.bench.scene.Control;
import dev.xsched.bench.scene.StageException;
import dev.xsched.bench.scene.Workload;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.List;

/** What the experiments about preemption latency have in common. */
final class Suspensions {
  /** The paper's: the most commands in flight, and how often completion is asked for. */
  static final LaunchWindow.Fixed WINDOW = new LaunchWindow.Fixed(8, 4);

  private static final int COMMANDS_PER_REQUEST = 100;

  private final Director director;
  private final Findings findings;

  Suspensions(Director director, Findings findings) {
    this.director = director;
    this.findings = findings;
    findings.configure("window", "8 commands in flight, a synchronisation point every 4");
    findings.configure("suspends", Integer.toString(times(director.extent())));
  }

  static int times(Extent extent) {
    return extent.quick() ? 150 : 2_000;
  }

  /** Whether the device has a level; a note says so if not. */
  boolean has(Level level) {
    boolean there = director.stage().levels().contains(level);
    if (!there) {
      findings.note("level %d: %s".formatted(level.number(), director.stage().whyNot(level)));
    }
    return there;
  }

  /** How long a command of that length really takes: the median over continuous requests. */
  Measure commandMicros(Duration command) throws StageException, InterruptedException {
    Workload work = new Workload.Commands(command, COMMANDS_PER_REQUEST);
    double perSecond =
        director
            .once(
                director.alone(
                    "commands of " + micros(command) + " us", new Control.Native(), work))
            .perSecond("alone");
    Measure measured = Measure.exactly(1e6 / (perSecond * COMMANDS_PER_REQUEST));
    findings.put("command_us_asked_" + micros(command), measured);
    return measured;
  }

  Measure p99Micros(Level level, Duration command) throws StageException, InterruptedException {
    List<long[]> nanos = director.suspends(level, command, WINDOW, times(director.extent()));
    findings.put(
        "preemption_p50_us_level_%d_command_%s".formatted(level.number(), micros(command)),
        1e3 * Latencies.of(nanos).percentile(50));
    return Samples.percentile(99, nanos, "level " + level.number()).map(ms -> 1e3 * ms);
  }

  static String micros(Duration command) {
    return Long.toString(command.toNanos() / 1_000);
  }
}
