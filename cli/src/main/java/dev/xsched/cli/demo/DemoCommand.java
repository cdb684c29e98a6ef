package dev.xsched.cli.demo;

import dev.xsched.cli.Terminal;
import dev.xsched.policy.Policies;
import dev.xsched.sim.DeviceModels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
      "the latencies and what the background kept, and writes a page with the distributions."
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
  private static final String DEFAULT_PAGE = "xsched-demo.html";

  private final Terminal terminal;

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      description =
          "auto for the best device found (default), sim[:MODEL] for a model, opencl[:N], cuda[:N].")
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
      description = "Print JSON and nothing else; a page is written only with --out.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Where to write the page (default: " + DEFAULT_PAGE + "); .svg for the figure alone.")
  private @Nullable Path out;

  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, HostTooBusyException {
    Path page = out == null && !json ? Path.of(DEFAULT_PAGE) : out;
    checkWritable(page);
    Rule rule = new Rule(Policies.named(policy), priority);
    DemoResult result = perform(rule);
    if (page != null) {
      boolean figure = page.toString().endsWith(".svg");
      Files.writeString(
          page, figure ? DemoPage.figure(result) : DemoPage.render(result, Instant.now()));
    }
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
    }
    try (Stage stage = Stages.onVirtualTime(DeviceModels.DEFAULT, rule)) {
      return new Demo(stage, rule, terminal, json).perform(null);
    }
  }

  /** Says so before the runs, not after. */
  private static void checkWritable(@Nullable Path page) {
    if (page == null) {
      return;
    }
    Path folder = page.toAbsolutePath().getParent();
    boolean writable =
        Files.exists(page) ? Files.isWritable(page) : folder != null && Files.isWritable(folder);
    if (Files.isDirectory(page) || !writable) {
      throw new IllegalArgumentException(
          "cannot write the page to %s; give --out a file in a folder that exists and is yours"
              .formatted(page));
    }
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
    result.hostNote().ifPresent(out::println);
    if (page != null) {
      out.println("Page: " + page.toAbsolutePath());
    }
  }
}
