package dev.xsched.cli;

import dev.xsched.bench.MicroBench;
import dev.xsched.bench.RecordFiles;
import dev.xsched.bench.ResultRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures, judges against our goals, and leaves a record. */
@Command(
    name = "bench",
    sortOptions = false,
    header = "Measurements, each with a record that says how to repeat it.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      BenchListCommand.class,
      BenchRunCommand.class,
      BenchCompareCommand.class,
      BenchValidateCommand.class,
      BenchCommand.Micro.class,
      BenchDaemonCommand.class,
      BenchShimCommand.class
    })
final class BenchCommand {
  /** What is measured; it tells what begins. */
  @FunctionalInterface
  interface Measurement {
    ResultRecord run(Consumer<String> step) throws Exception;
  }

  /** Measures with the time left on the terminal, leaves the record, and returns the exit code. */
  static int measure(Terminal terminal, Duration expected, Path out, Measurement measurement)
      throws Exception {
    OutFolder.prepareFor(out);
    ResultRecord record;
    try (Progress progress = new Progress(terminal, false, expected, System::nanoTime);
        var clock = Executors.newSingleThreadScheduledExecutor()) {
      ScheduledFuture<?> _ = clock.scheduleAtFixedRate(progress::tick, 1, 1, TimeUnit.SECONDS);
      try {
        record = measurement.run(progress::step);
      } finally {
        clock.shutdownNow();
      }
    }
    return leave(terminal, record, out);
  }

  /** Says which goals are met, and then, as that may fail, leaves the record and says where. */
  private static int leave(Terminal terminal, ResultRecord record, Path out) throws IOException {
    terminal.out().println();
    for (ResultRecord.Criterion criterion : record.criteria()) {
      terminal
          .out()
          .printf(
              "%-6s %-42s %15s   goal %s%n",
              criterion.pass() ? "met" : "MISSED",
              criterion.name(),
              number(criterion.value()),
              criterion.goal());
    }
    terminal.out().println("record: " + RecordFiles.write(record, out));
    return record.pass() ? 0 : Errors.FAILED;
  }

  private static String number(double value) {
    return (Math.abs(value) < 1 ? "%.4f" : "%,.1f").formatted(value);
  }

  /** The speed of XSched itself. */
  @Command(
      name = "micro",
      sortOptions = false,
      header = "The speed of queues, decisions and simulator (about four minutes).",
      optionListHeading = "%nOptions:%n",
      footer = {"", "The exit code is 0 if every goal is met, else 1."})
  static final class Micro implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
        names = "--out",
        paramLabel = "FOLDER",
        defaultValue = "results",
        description = "Where the record goes (default: ${DEFAULT-VALUE}).")
    private Path out = Path.of("results");

    Micro(Terminal terminal) {
      this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
      OutFolder.prepare(out);
      return leave(terminal, measure(), out);
    }

    private static ResultRecord measure() throws Exception {
      try {
        return MicroBench.run(Version.release(), Version.commit());
      } catch (NoClassDefFoundError _) {
        throw new Failure("bench micro needs JMH, which is in the source tree only: run it there");
      }
    }
  }
}
