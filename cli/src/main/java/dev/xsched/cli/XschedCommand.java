package dev.xsched.cli;

import dev.xsched.cli.daemon.ConfigCommand;
import dev.xsched.cli.daemon.DoctorCommand;
import dev.xsched.cli.daemon.HintCommand;
import dev.xsched.cli.daemon.ListCommand;
import dev.xsched.cli.daemon.PolicyCommand;
import dev.xsched.cli.daemon.RunCommand;
import dev.xsched.cli.daemon.ServeCommand;
import dev.xsched.cli.daemon.StatusCommand;
import dev.xsched.cli.daemon.StopCommand;
import dev.xsched.cli.daemon.TopCommand;
import dev.xsched.cli.demo.DemoCommand;
import dev.xsched.cli.report.experiments.ReportCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself: what it says when it is asked for no command. */
@Command(
    name = "xsched",
    versionProvider = XschedCommand.Versions.class,
    sortOptions = false,
    synopsisHeading = "",
    customSynopsis = "Usage: xsched COMMAND [OPTIONS]",
    header = {
      "XSched: a preemptive scheduler for GPUs and other accelerators.",
      "",
      "Accelerators run commands in the order they come. XSched gives their queues what threads",
      "have on a CPU: priorities, shares, deadlines, and a policy that decides who runs.",
      ""
    },
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  xsched demo                                   what XSched is for, in half a minute",
      "  xsched run --priority 10 -- ./serve           a program that matters",
      "  xsched run --priority -5 -- python3 train.py  one that does not",
      "  xsched top                                    who gets the device",
      "  xsched doctor                                 what is wrong, and what to do about it",
      "",
      "What is simulated: without an accelerator the device is a virtual XPU, a model with the",
      "native scheduling, costs and command times of a real device. Its results say so. Queues,",
      "policies and the scheduler are the real ones in either case.",
      "",
      "Environment:",
      "  XSCHED_DIR       the folder where programs and daemon meet, in place of the usual one",
      "  XSCHED_PLUGINS   a folder; the policies and devices in its jars are found, too",
      "  XSCHED_DEBUG=1   shows the stack trace of an internal error",
      "  NO_COLOR=1       no colours; there are none either where the output is no terminal"
    })
final class XschedCommand implements Runnable {
  static final class Versions implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return Version.lines().toArray(String[]::new);
    }
  }

  /** In the order of the help. */
  private static final List<Class<?>> COMMANDS =
      List.of(
          RunCommand.class,
          ListCommand.class,
          TopCommand.class,
          HintCommand.class,
          PolicyCommand.class,
          ConfigCommand.class,
          ServeCommand.class,
          StopCommand.class,
          StatusCommand.class,
          DoctorCommand.class,
          DemoCommand.class,
          BenchCommand.class,
          ReportCommand.class,
          CompletionCommand.class,
          DistCommand.class);

  /**
   * The program as a parser of its command line. If the command is named first, the parser knows no
   * other: reading the options of all would take longer than most of them run.
   */
  static CommandLine of(IFactory factory, String... args) {
    CommandLine all = new CommandLine(new XschedCommand(), factory);
    List<Class<?>> named =
        COMMANDS.stream().filter(c -> args.length > 0 && name(c).equals(args[0])).toList();
    for (Class<?> command : named.isEmpty() ? COMMANDS : named) {
      all.addSubcommand(name(command), command);
    }
    CommandLine run = all.getSubcommands().get("run");
    if (run != null) {
      run.setStopAtPositional(true); // What follows the program's name is the program's.
    }
    return all;
  }

  private static String name(Class<?> command) {
    return command.getAnnotation(Command.class).name();
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show help; each command has its own.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show version, commit and Java.")
  @SuppressWarnings("unused") // picocli acts on it
  private boolean version;

  @Override
  public void run() {
    CommandLine commandLine = spec.commandLine();
    commandLine.usage(commandLine.getOut());
  }
}
