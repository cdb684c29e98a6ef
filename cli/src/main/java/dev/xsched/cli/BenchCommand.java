package dev.xsched.cli;

import dev.xsched.bench.MicroBench;
import dev.xsched.bench.ResultRecord;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures, judges against our goals, and leaves a record. */
@Command(
    name = "bench",
    sortOptions = false,
    header = "Measurements, each with a record that says how to repeat it.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {BenchCommand.Micro.class, BenchDaemonCommand.class, BenchShimCommand.class})
final class BenchCommand {
  /** Says which goals are met and where the record is. */
  static void print(Terminal terminal, ResultRecord record, Path file) {
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
    terminal.out().println("record: " + file);
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
      ResultRecord record = measure();
      Path file = record.writeTo(out);
      print(terminal, record, file);
      return record.pass() ? 0 : Errors.FAILED;
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
