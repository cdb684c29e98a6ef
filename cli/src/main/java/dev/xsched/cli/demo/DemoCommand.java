package dev.xsched.cli.demo;

import dev.xsched.bench.RecordFiles;
import dev.xsched.bench.record.RecordFolder;
import dev.xsched.cli.Failure;
import dev.xsched.cli.OutFolder;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.report.experiments.ReportFiles;
import dev.xsched.policy.Policies;
import dev.xsched.sim.DeviceModels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows in half a minute what XSched is for. */
@Command(
    name = "demo",
    sortOptions = false,
    header = "See a foreground task protected from a background task.",
    description = {
      "",
      "Three runs of a foreground task with periodic requests: standalone; native, beside a",
      "background task that keeps the device busy; and scheduled, the same under XSched. Prints",
      "the latencies and what the background kept, and leaves a record of experiment 7.2.1 and the",
      "report on it, with the distributions."
    },
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched demo                         the best device found, in real time, 25 seconds",
      "  xsched demo --device sim:mi50       a model of an AMD MI50 on virtual time, at once",
      "  xsched demo --device sim --policy CFS",
      "  xsched demo --json | jq .p99_ratio_scheduled",
      "",
      "What is simulated: where no accelerator is found, the device. It really takes the time that",
      "its model says. With --device sim time is virtual, too, and also where the host is too busy",
      "to measure in real time."
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String DEFAULT_FOLDER = "xsched-demo";

  private final Terminal terminal;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "auto for the best device found (default), sim[:MODEL] for a model, opencl[:N], cuda[:N],"
              + " hip[:N].")
  private String device = "auto";

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description = "Who decides in the scheduled run (default: " + Rule.DEFAULT_POLICY + ").")
  private String policy = Rule.DEFAULT_POLICY;

  @Option(
      names = "--priority",
      paramLabel = "N",
      converter = WholeNumber.Priority.class,
      description =
          "The foreground's priority; the background has 0 (default: "
              + Rule.DEFAULT_PRIORITY
              + ").")
  private Long priority = (long) Rule.DEFAULT_PRIORITY;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = WholeNumber.Seconds.class,
      description = "Length of each run; by default 6 on a device that takes real time.")
  private @Nullable Long seconds;

  @Option(
      names = "--json",
      description = "Print JSON and nothing else; files are written only with --out.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where record and report go (default: " + DEFAULT_FOLDER + ").")
  private @Nullable Path out;

  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, HostTooBusyException, Failure {
    Path folder = out == null && !json ? Path.of(DEFAULT_FOLDER) : out;
    if (folder != null) {
      OutFolder.prepare(folder);
    }
    DemoResult result = perform(new Rule(Policies.named(policy), priority));
    Path page = folder == null ? null : write(result, folder);
    if (json) {
      terminal.out().println(DemoJson.of(result));
    } else {
      print(result, page);
    }
    return 0;
  }

  private DemoResult perform(Rule rule) throws InterruptedException, HostTooBusyException {
    try (Stage stage = Stages.open(device, rule)) {
      return new Demo(stage, rule, terminal, json).perform(seconds);
    } catch (HostTooBusyException e) {
      terminal.err().println(e.getMessage());
      device = "sim";
    }
    try (Stage stage = Stages.onVirtualTime(DeviceModels.DEFAULT, rule)) {
      return new Demo(stage, rule, terminal, json).perform(null);
    }
  }

  private Path write(DemoResult result, Path folder) throws IOException, Failure {
    String command =
        "./xsched demo --device %s --policy %s --priority %d --seconds %d"
            .formatted(device, policy, priority, result.perRun().toSeconds());
    RecordFiles.replace(DemoRecord.of(result, command), folder.resolve("demo.json"));
    return ReportFiles.write(RecordFolder.read(folder), folder);
  }

  private void print(DemoResult result, @Nullable Path page) {
    var out = terminal.out();
    out.println("Device: " + result.device() + (result.simulated() ? " (simulated)" : ""));
    out.println();
    List<String> lines = result.table().lines();
    out.println(terminal.bold(lines.getFirst()));
    lines.stream().skip(1).forEach(out::println);
    out.println();
    out.println(result.finding());
    if (!result.contentionProven()) {
      out.println("The two did not compete for the device, so this comparison says nothing.");
    }
    result.run(Configuration.STANDALONE).notes().forEach(out::println);
    if (page != null) {
      out.println("Page: " + page);
    }
  }
}
