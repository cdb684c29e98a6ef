package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.daemon.Daemon;
import dev.xsched.daemon.DaemonOptions;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A daemon in this process. It ends in good order on a signal, too, and with code 0: that is how
 * such a daemon is meant to end.
 */
final class HostedDaemon implements AutoCloseable {
  private final Daemon daemon;
  private final AtomicBoolean ended = new AtomicBoolean();

  private HostedDaemon(Daemon daemon) {
    this.daemon = daemon;
  }

  static HostedDaemon start(DaemonOptions options) throws Failure {
    try {
      HostedDaemon hosted = new HostedDaemon(Daemon.start(options));
      Runtime.getRuntime().addShutdownHook(new Thread(hosted::endBySignal, "xsched-end"));
      return hosted;
    } catch (FileSystemException e) {
      throw new Failure(
          "the daemon cannot be started in %s (%s); choose another folder with XSCHED_DIR"
              .formatted(options.directory().path(), DaemonFiles.reason(e)));
    } catch (IOException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
  }

  Daemon daemon() {
    return daemon;
  }

  @Override
  public void close() throws IOException {
    ended.set(true);
    daemon.close();
  }

  private void endBySignal() {
    if (!ended.get()) {
      try {
        daemon.close();
      } catch (IOException e) {
        System.err.println("xsched: the daemon did not end in good order: " + e.getMessage());
      }
      Runtime.getRuntime().halt(0);
    }
  }
}
