package dev.xsched.cli;

import dev.xsched.cli.demo.DemoCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself: what it says when it is asked for no command. */
@Command(
    name = "xsched",
    versionProvider = XschedCommand.Versions.class,
    subcommands = {DemoCommand.class, PolicyCommand.class, BenchCommand.class},
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
      "  xsched demo                        a foreground task, protected from a background task",
      "  xsched demo --device sim:mi50      the same on a model of that device, at once",
      "  xsched policy --available          the policies, with what each is for",
      "",
      "What is simulated: without an accelerator the device is a virtual XPU, a model with the",
      "native scheduling, costs and command times of a real device. Its results say so. Queues,",
      "policies and the scheduler are the real ones in either case.",
      "",
      "Environment:",
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
