package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Host;
import dev.xsched.cli.Version;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The daemon, its folder and the ways to reach it. */
final class DaemonChecks {
  private DaemonChecks() {}

  static List<Finding> all(Host host) {
    List<Finding> findings = new ArrayList<>();
    Optional<DaemonClient> client = DaemonClient.find(host);
    ControlDirectory directory =
        client
            .map(DaemonClient::directory)
            .orElseGet(() -> ControlDirectory.ofDaemon(host.environment(), host.uid()));
    findings.add(folder(directory, host.uid()));
    if (client.isEmpty()) {
      findings.add(noDaemon(directory));
      findings.add(InterceptionCheck.withoutDaemon());
      return findings;
    }
    findings.add(Finding.ok("rest", "answers on " + client.get().address()));
    findings.add(socket(directory));
    findings.add(token(client.get()));
    findings.add(version(client.get()));
    LevelCheck.check(client.get()).ifPresent(findings::add);
    findings.add(LaunchCheck.check(client.get()));
    findings.add(InterceptionCheck.check(client.get()));
    return findings;
  }

  private static Finding folder(ControlDirectory directory, int uid) {
    String path = directory.path().toString();
    try {
      if (!Files.exists(directory.path())) {
        return canBeMade(directory.path())
            ? Finding.ok("folder", path + ", made when the daemon starts")
            : Finding.problem(
                "folder",
                path + " cannot be made: what is above it is no folder that is yours to write to",
                "choose another with XSCHED_DIR");
      }
      if (!Files.isDirectory(directory.path())) {
        return Finding.problem("folder", path + " is a file", "choose another with XSCHED_DIR");
      }
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory.path());
      int owner = (int) Files.getAttribute(directory.path(), "unix:uid");
      if (permissions.contains(PosixFilePermission.OTHERS_WRITE)
          || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
        return Finding.problem("folder", path + " can be written by others", "chmod go-w " + path);
      }
      return owner == uid || owner == 0
          ? Finding.ok("folder", path)
          : Finding.problem(
              "folder",
              path + " belongs to uid " + owner,
              "choose a folder of your own with XSCHED_DIR");
    } catch (IOException e) {
      return Finding.problem("folder", path + ": " + e, "choose another with XSCHED_DIR");
    }
  }

  /** Tries nothing, so that looking leaves no trace. Not even root can make folders in /proc. */
  private static boolean canBeMade(Path folder) throws IOException {
    Path above = folder;
    while (above.getParent() != null && !Files.exists(above)) {
      above = above.getParent();
    }
    return Files.isDirectory(above)
        && Files.isWritable(above)
        && !List.of("proc", "sysfs").contains(Files.getFileStore(above).type());
  }

  private static Finding noDaemon(ControlDirectory directory) {
    return DaemonFiles.holder(directory)
        .map(
            pid ->
                Finding.problem(
                    "daemon",
                    "pid %d holds the folder and does not answer".formatted(pid),
                    "see %s, then: kill %d; xsched serve".formatted(directory.log(), pid)))
        .orElseGet(
            () ->
                Finding.warning(
                    "daemon", "none runs", "xsched serve; or xsched run, which starts it"));
  }

  /** Programs talk in packets. A stream is refused by its type, but only where somebody is. */
  private static Finding socket(ControlDirectory directory) {
    String path = directory.socket().toString();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(directory.socket()));
      return Finding.ok("socket", path);
    } catch (IOException e) {
      String reason = String.valueOf(e.getMessage());
      return reason.contains("wrong type")
          ? Finding.ok("socket", path)
          : Finding.problem(
              "socket",
              "%s cannot be reached (%s)".formatted(path, reason),
              "xsched stop; xsched serve; in a container, mount the whole folder");
    }
  }

  private static Finding token(DaemonClient client) {
    return client.token().isPresent()
        ? Finding.ok("token", "can be read: you may change things")
        : Finding.warning(
            "token",
            "none for you: you can look, but not change",
            "ask the daemon's owner, or start your own: XSCHED_DIR=FOLDER xsched serve");
  }

  private static Finding version(DaemonClient client) {
    try {
      DaemonState state = client.state();
      String found = "version %s, policy %s".formatted(state.version(), state.policy());
      if (state.policyFailed()) {
        return Finding.problem(
            "daemon",
            found + ", which failed: every queue runs",
            "choose another with xsched policy NAME; the log says why");
      }
      return state.version().equals(Version.release())
          ? Finding.ok("daemon", found)
          : Finding.warning(
              "daemon",
              found + ", but this is " + Version.release(),
              "xsched stop; xsched serve; what programs were told stays");
    } catch (Failure | IllegalArgumentException e) {
      return Finding.problem("daemon", String.valueOf(e.getMessage()), "xsched stop; xsched serve");
    }
  }
}
