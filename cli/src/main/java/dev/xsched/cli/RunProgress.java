package dev.xsched.cli;

import dev.xsched.bench.ResultRecord;
import dev.xsched.bench.experiment.Experiment;
import dev.xsched.bench.experiment.Extent;
import dev.xsched.bench.run.Runner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Tells how experiments go on and how long all of them will still take. The time left is what is
 * still to be played on the device's clock, by how long such time has taken so far.
 */
final class RunProgress implements Runner.Listener {
  private static final String CLEAR_LINE = "\r\033[K";

  private final Terminal terminal;
  private final Extent extent;
  private final double slowness;
  private final LongSupplier clock;
  private final long startNanos;
  private final Duration limit;
  private double leftSeconds;
  private double currentSeconds;
  private double playedSeconds;
  private int started;
  private final int all;
  private String id = "";

  /** Of experiments that take as long as they take. */
  RunProgress(
      Terminal terminal,
      List<Experiment> experiments,
      Extent extent,
      double slowness,
      LongSupplier clock) {
    this(terminal, experiments, extent, slowness, clock, Duration.ofDays(365));
  }

  /**
   * Tells of experiments.
   *
   * @param limit after which all of them end
   */
  RunProgress(
      Terminal terminal,
      List<Experiment> experiments,
      Extent extent,
      double slowness,
      LongSupplier clock,
      Duration limit) {
    this.terminal = terminal;
    this.extent = extent;
    this.slowness = slowness;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
    this.limit = limit;
    this.all = experiments.size();
    this.leftSeconds = experiments.stream().mapToDouble(this::typical).sum();
  }

  @Override
  public void starts(Experiment experiment) {
    id = experiment.id();
    started++;
    currentSeconds = typical(experiment);
    leftSeconds -= currentSeconds;
    if (!terminal.live()) {
      say("%s %s%n".formatted(line("begins"), experiment.title()));
    }
  }

  @Override
  public void skipped(Experiment experiment, String reason) {
    started++;
    leftSeconds -= typical(experiment);
    clear();
    terminal.out().println("%-7s %-6s %s".formatted("skipped", experiment.id(), reason));
  }

  @Override
  public void begins(String what) {
    if (terminal.live()) {
      say(CLEAR_LINE + line(what));
    }
  }

  @Override
  public void played(Duration deviceTime) {
    double seconds = deviceTime.toNanos() / 1e9;
    playedSeconds += seconds;
    currentSeconds = Math.max(0, currentSeconds - seconds);
  }

  @Override
  public void wrote(ResultRecord record, Path file) {
    clear();
    RunTable.print(terminal, record);
  }

  String line(String what) {
    return String.format(
        Locale.ROOT, "%s (%d of %d): %s, %d s left", id, started, all, what, secondsLeft());
  }

  long secondsLeft() {
    double elapsed = (clock.getAsLong() - startNanos) / 1e9;
    double rate = playedSeconds == 0 ? slowness : elapsed / playedSeconds;
    double most = Math.max(0, limit.toNanos() / 1e9 - elapsed);
    return (long) Math.ceil(Math.min((leftSeconds + currentSeconds) * rate, most));
  }

  private double typical(Experiment experiment) {
    return experiment.typicalLength(extent).toNanos() / 1e9;
  }

  private void clear() {
    if (terminal.live()) {
      say(CLEAR_LINE);
    }
  }

  private void say(String text) {
    terminal.err().print(text);
    terminal.err().flush();
  }
}
