package dev.xsched.cli.demo;

import dev.xsched.cli.Progress;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.report.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Performs the runs on a stage, one after another. */
final class Demo {
  private final Stage stage;
  private final Rule rule;
  private final Terminal terminal;
  private final boolean silent;

  Demo(Stage stage, Rule rule, Terminal terminal, boolean silent) {
    this.stage = stage;
    this.rule = rule;
    this.terminal = terminal;
    this.silent = silent;
  }

  /**
   * Performs it.
   *
   * @param seconds length of each run; null for what suits the stage
   * @throws HostTooBusyException as soon as it shows
   */
  DemoResult perform(@Nullable Long seconds) throws InterruptedException, HostTooBusyException {
    Duration measured =
        Duration.ofSeconds(seconds == null ? stage.defaultSeconds() : checked(seconds));
    Duration shorter = measured.dividedBy(2);
    Duration expected =
        stage
            .waiting(measured)
            .multipliedBy(Configuration.values().length)
            .plus(stage.waiting(shorter));
    List<Measurement> runs = new ArrayList<>();
    double backgroundAlone;
    try (Progress progress =
        new Progress(terminal, silent || expected.isZero(), expected, System::nanoTime)) {
      for (Configuration configuration : Configuration.values()) {
        progress.step(configuration.label() + ": " + configuration.meaning());
        runs.add(enough(stage.run(configuration, measured, progress::tick), measured));
        if (stage.simulated()) {
          HostTooBusyException.check(runs.getFirst());
        }
      }
      progress.step("the background alone");
      backgroundAlone = stage.backgroundAlone(shorter, progress::tick);
    }
    return new DemoResult(
        stage.device(),
        stage.simulated(),
        stage.simulation(),
        stage.workload(),
        rule,
        measured,
        backgroundAlone,
        runs);
  }

  private long checked(long seconds) {
    Workload workload = stage.workload();
    if (seconds < workload.minimumSeconds()) {
      throw new IllegalArgumentException(
          "--seconds %d is too short: a P99 needs %d requests, one comes every %d ms; give %d or more"
              .formatted(
                  seconds,
                  Samples.ENOUGH_FOR_P99,
                  workload.period().toMillis(),
                  workload.minimumSeconds()));
    }
    return seconds;
  }

  /** A device that is slower than thought may complete fewer requests than were due. */
  private static Measurement enough(Measurement run, Duration measured) {
    int count = run.latencies().size();
    if (count < Samples.ENOUGH_FOR_P99) {
      throw new IllegalArgumentException(
          "only %d requests completed in the %s run, and a P99 needs %d; give --seconds %d or more"
              .formatted(
                  count,
                  run.configuration().label(),
                  Samples.ENOUGH_FOR_P99,
                  measured.toSeconds() * Samples.ENOUGH_FOR_P99 / Math.max(1, count) + 1));
    }
    return run;
  }
}
