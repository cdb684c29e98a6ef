package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.link.ControlDirectory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Ends the daemon and waits until it has ended. */
@Command(
    name = "stop",
    header = "End the daemon; programs run on, unscheduled.",
    description = {"", "Waits until it has ended. It is fine if none runs."},
    optionListHeading = "%nOptions:%n",
    footer = {"", "Example:", "  xsched stop && xsched serve --policy CFS"})
public final class StopCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Terminal terminal;
  private final Host host;

  public StopCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure, InterruptedException {
    Optional<DaemonClient> found = DaemonClient.find(host);
    if (found.isEmpty()) {
      refuseSilentOne();
      terminal.out().println("no daemon runs in " + DaemonClient.folders(host));
      return 0;
    }
    DaemonClient client = found.get();
    long pid = client.state().pid();
    client.change("POST", "/api/v1/stop", Map.of());
    long begin = System.nanoTime();
    while (DaemonFiles.alive(pid) || DaemonClient.in(client.directory(), host.uid()).isPresent()) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new Failure(
            "the daemon (pid %d) was told to stop and has not after %d s; end it with: kill %d"
                .formatted(pid, PATIENCE.toSeconds(), pid));
      }
      Thread.sleep(20);
    }
    terminal.out().printf("daemon stopped: pid %d, folder %s%n", pid, client.directory().path());
    return 0;
  }

  /** One that holds its folder and does not answer is not the same as none. */
  private void refuseSilentOne() throws Failure {
    ControlDirectory directory = ControlDirectory.ofDaemon(host.environment(), host.uid());
    Optional<Long> pid = DaemonFiles.holder(directory);
    if (pid.isPresent()) {
      throw new Failure(
          "the daemon in %s (pid %d) does not answer; see %s, or end it with: kill %d"
              .formatted(directory.path(), pid.get(), directory.log(), pid.get()));
    }
  }
}
