package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.judge.Runs;
import dev.xsched.cli.Progress;
import dev.xsched.cli.Terminal;
import java.time.Duration;
import java.util.Arrays;
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
    Duration expected =
        Arrays.stream(Configuration.values())
            .map(c -> stage.waiting(length(c, measured)))
            .reduce(Duration.ZERO, Duration::plus);
    Runs runs = new Runs();
    try (Progress progress =
        new Progress(terminal, silent || expected.isZero(), expected, System::nanoTime)) {
      for (Configuration configuration : Configuration.values()) {
        progress.step(configuration.label() + ": " + configuration.meaning());
        runs.add(
            configuration.scene(),
            stage.run(configuration, length(configuration, measured), progress::tick));
        if (configuration != Configuration.BACKGROUND) {
          checkCount(runs, configuration, measured);
        }
        if (stage.simulated()) {
          HostTooBusyException.check(runs);
        }
      }
    }
    return new DemoResult(
        stage.device(),
        stage.recordedDevice(),
        stage.simulated(),
        stage.simulation(),
        stage.workload(),
        rule,
        measured,
        runs);
  }

  /** A rate shows sooner than a percentile. */
  private static Duration length(Configuration configuration, Duration measured) {
    return configuration == Configuration.BACKGROUND ? measured.dividedBy(2) : measured;
  }

  private long checked(long seconds) {
    Workload workload = stage.workload();
    if (seconds < workload.minimumSeconds()) {
      throw new IllegalArgumentException(
          "--seconds %d is too short: a P99 needs %d requests, one comes every %d ms; give %d or more"
              .formatted(
                  seconds,
                  Runs.P99_SAMPLES,
                  workload.period().toMillis(),
                  workload.minimumSeconds()));
    }
    return seconds;
  }

  /** A device that is slower than thought may complete fewer requests than were due. */
  private static void checkCount(Runs runs, Configuration configuration, Duration measured) {
    int count = runs.latencies(configuration.scene(), FixedPriority.FOREGROUND).count();
    if (count < Runs.P99_SAMPLES) {
      throw new IllegalArgumentException(
          "only %d requests completed in the %s run, and a P99 needs %d; give --seconds %d or more"
              .formatted(
                  count,
                  configuration.label(),
                  Runs.P99_SAMPLES,
                  measured.toSeconds() * Runs.P99_SAMPLES / Math.max(1, count) + 1));
    }
  }
}
