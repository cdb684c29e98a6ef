package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.daemon.api.DaemonState;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows live who gets the device. */
@Command(
    name = "top",
    sortOptions = false,
    header = "Watch who gets the device, live.",
    description = {
      "",
      "A bar is the part of the last second for which a queue had work and was allowed to run.",
      "Under a queue with a latency goal stand its P99 and what others get while it is at work.",
      "Keys sort the rows; the last line shows them. Where the output is no terminal, one picture",
      "is printed after a second."
    },
    optionListHeading = "%nOptions:%n",
    footer = {"", "Examples:", "  xsched top", "  xsched top --once | head -20"})
public final class TopCommand implements Callable<Integer> {
  private static final int WIDTH_ON_PAPER = 100;
  private static final long PERIOD_MILLIS = 1000;

  private final Terminal terminal;
  private final Host host;

  @Option(names = "--once", description = "Print one picture and end.")
  private boolean once;

  public TopCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure, IOException, InterruptedException {
    if (terminal.screen() && !once) {
      TopScreen.show(host, terminal.colour(), PERIOD_MILLIS);
    } else {
      DaemonClient client = DaemonClient.require(host);
      DaemonState earlier = client.state();
      Thread.sleep(PERIOD_MILLIS);
      TopView view = new TopView(earlier, client.state(), "", TopOrder.SHARE, false, 0, '#', '.');
      List<String> lines = view.snapshot(WIDTH_ON_PAPER);
      lines.forEach(terminal.out()::println);
    }
    return 0;
  }
}
