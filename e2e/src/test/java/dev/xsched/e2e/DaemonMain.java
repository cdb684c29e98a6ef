package dev.xsched.e2e;

import dev.xsched.daemon.Daemon;
import dev.xsched.daemon.DaemonOptions;
import dev.xsched.link.ControlDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A daemon without a command line around it: takes what {@code serve --foreground} takes. */
final class DaemonMain {
  private DaemonMain() {}

  public static void main(String[] arguments) throws Exception {
    @Nullable String policy = null;
    Path limits = Path.of("/nonexistent");
    for (int i = 0; i + 1 < arguments.length; i++) {
      switch (arguments[i]) {
        case "--policy" -> policy = arguments[i + 1];
        case "--limits" -> limits = Path.of(arguments[i + 1]);
        default -> {}
      }
    }
    Map<String, String> environment = System.getenv();
    Daemon daemon =
        Daemon.start(
            new DaemonOptions(
                ControlDirectory.ofDaemon(environment, ControlDirectory.ownUid()),
                policy,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                limits,
                "test"));
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> close(daemon)));
    daemon.awaitStop();
    System.exit(0);
  }

  private static void close(Daemon daemon) {
    try {
      daemon.close();
    } catch (IOException e) {
      System.err.println("the daemon did not end well: " + e.getMessage());
    }
  }
}
