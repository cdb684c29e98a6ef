package dev.xsched.bench.kills;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** The end of a process by SIGKILL. */
final class Death {
  /** How Java tells of it. */
  static final int KILLED = 128 + 9;

  private static final int SECONDS = 20;

  private Death() {}

  /**
   * Kills it and returns how it ended.
   *
   * @throws IOException if it does not, which only the kernel or a driver can be the reason of
   */
  static int of(Process process) throws IOException, InterruptedException {
    process.destroyForcibly();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new IOException(
          "pid %d was killed and is still there after %d s; see dmesg"
              .formatted(process.pid(), SECONDS));
    }
    return process.exitValue();
  }
}
