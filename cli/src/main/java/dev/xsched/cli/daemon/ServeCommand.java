package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.Version;
import dev.xsched.daemon.DaemonOptions;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts the daemon, in the background or in this process. */
@Command(
    name = "serve",
    sortOptions = false,
    header = "Start the daemon that schedules programs against each other.",
    description = {
      "",
      "It goes on in the background; 'xsched stop' ends it. Programs find it by its folder:",
      "XSCHED_DIR if set, else /run/xsched for root, else the user's own folder for such things.",
      "Without a daemon programs run on as if there were no XSched."
    },
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Examples:",
      "  xsched serve                       with what xsched policy set last, at first HPF",
      "  xsched serve --policy CFS",
      "  xsched serve --foreground          until Ctrl-C; for systemd and containers"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final String USUAL_LIMITS = "/etc/xsched/limits.toml";

  private final Terminal terminal;
  private final Host host;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      completionCandidates = PolicyNames.class,
      description = "Who decides; xsched policy --available lists them.")
  private @Nullable String policy;

  @Option(names = "--foreground", description = "Run here until SIGTERM or Ctrl-C.")
  private boolean foreground;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where REST and the page are (default: any free port of 127.0.0.1).")
  private @Nullable String listen;

  @Option(
      names = "--limits",
      paramLabel = "FILE",
      defaultValue = USUAL_LIMITS,
      description = "Who may ask for what (default: ${DEFAULT-VALUE}, if it is there).")
  private Path limits = Path.of("");

  @Option(
      names = "--private",
      hidden = true,
      description = "For one program: no REST, ends with the standard input, prints ready.")
  private boolean forOneProgram;

  @Option(names = "--detached", hidden = true, description = "Leave the terminal.")
  private boolean detached;

  public ServeCommand(Terminal terminal, Host host) {
    this.terminal = terminal;
    this.host = host;
  }

  @Override
  public Integer call() throws Failure, IOException, InterruptedException {
    if (policy != null) {
      policy = Policies.named(policy).name();
    }
    if (!Files.exists(limits) && !limits.equals(Path.of(USUAL_LIMITS))) {
      throw new IllegalArgumentException(
          "there is no file %s; write one as docs/daemon.md says, or leave --limits out"
              .formatted(limits));
    }
    if (forOneProgram) {
      return new PrivateServe(policy).perform(terminal, host);
    }
    InetSocketAddress address = ListenAddress.parse(listen == null ? "127.0.0.1:0" : listen);
    ControlDirectory directory = ControlDirectory.ofDaemon(host.environment(), host.uid());
    Optional<DaemonClient> running = DaemonClient.in(directory, host.uid());
    if (running.isPresent()) {
      return runsAlready(running.get());
    }
    if (!address.getAddress().isLoopbackAddress()) {
      terminal
          .err()
          .println(
              ("xsched: warning: %s can be reached from other machines; everybody there can look,"
                      + " and tokens cross the network as they are")
                  .formatted(listen));
    }
    if (foreground) {
      return serve(new DaemonOptions(directory, policy, address, limits, Version.release()));
    }
    DaemonClient client =
        new DaemonProcess(directory, DaemonProcess.command(arguments()), terminal, host.uid())
            .start();
    DaemonState state = client.state();
    print("started: pid %d, policy %s", client, state);
    return 0;
  }

  private List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--limits", limits.toAbsolutePath().toString()));
    if (policy != null) {
      arguments.addAll(List.of("--policy", policy));
    }
    if (listen != null) {
      arguments.addAll(List.of("--listen", listen));
    }
    return arguments;
  }

  private int runsAlready(DaemonClient client) throws Failure {
    DaemonState state = client.state();
    if (policy != null && !policy.equals(state.policy())) {
      throw new Failure(
          "a daemon runs already in %s (pid %d), with policy %s; change it with: xsched policy %s"
              .formatted(client.directory().path(), state.pid(), state.policy(), policy));
    }
    print("runs already: pid %d, policy %s", client, state);
    return 0;
  }

  private void print(String format, DaemonClient client, DaemonState state) {
    terminal.out().println("daemon " + format.formatted(state.pid(), state.policy()));
    terminal.out().println("folder  " + client.directory().path());
    terminal.out().println("page    " + client.page());
  }

  private int serve(DaemonOptions options) throws Failure, IOException, InterruptedException {
    if (detached) {
      LibC.newSession();
    }
    try (HostedDaemon hosted = HostedDaemon.start(options)) {
      if (!detached) {
        terminal.out().println("daemon runs: folder " + options.directory().path());
        terminal.out().println("page    " + hosted.daemon().page());
      }
      hosted.daemon().awaitStop();
    }
    return 0;
  }
}
