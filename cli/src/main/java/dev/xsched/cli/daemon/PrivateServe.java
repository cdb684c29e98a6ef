package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Terminal;
import dev.xsched.cli.Version;
import dev.xsched.daemon.DaemonOptions;
import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Policies;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The daemon of one program, which that program starts: in a folder of its own, without a REST
 * interface, with the standard input as its lifeline. Prints {@code ready} when programs can
 * register.
 *
 * @param policy null for the usual one
 */
public record PrivateServe(@Nullable String policy) {
  /** Reads a plain command line: the program waits, and loading the parser takes time. */
  public static Optional<PrivateServe> quick(List<String> line) {
    boolean plain = line.size() == 2 || (line.size() == 4 && line.get(2).equals("--policy"));
    return plain && line.subList(0, 2).equals(List.of("serve", "--private"))
        ? Optional.of(new PrivateServe(line.size() == 4 ? line.get(3) : null))
        : Optional.empty();
  }

  /** Returns when the standard input ends. */
  public int perform(Terminal terminal, Host host) throws Failure {
    if (host.environment().getOrDefault("XSCHED_DIR", "").isEmpty()) {
      throw new IllegalArgumentException("serve --private needs a folder of its own in XSCHED_DIR");
    }
    ControlDirectory directory = ControlDirectory.ofDaemon(host.environment(), host.uid());
    String name = policy == null ? null : Policies.named(policy).name();
    // Limits hold between users; here is only one.
    DaemonOptions options =
        new DaemonOptions(
            directory, name, null, directory.path().resolve("limits.toml"), Version.release());
    try (HostedDaemon _ = HostedDaemon.start(options)) {
      terminal.out().println("ready");
      terminal.out().flush();
      byte[] ignored = new byte[64];
      while (System.in.read(ignored) >= 0) {
        // Whoever holds the other end lives.
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
