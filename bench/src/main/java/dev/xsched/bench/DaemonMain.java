package dev.xsched.bench;

import dev.xsched.daemon.Daemon;
import dev.xsched.daemon.DaemonOptions;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** A daemon in a process of its own, in the folder and with the policy of the arguments. */
final class DaemonMain {
  private DaemonMain() {}

  /** Runs until the standard input ends, so that it ends with whoever started it. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    DaemonOptions options =
        new DaemonOptions(
            new ControlDirectory(folder),
            arguments[1],
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            folder.resolve("no-limits"),
            "bench");
    try (Daemon _ = Daemon.start(options)) {
      while (System.in.read() >= 0) {
        // Nothing is said to it.
      }
    }
  }
}
