package dev.xsched.bench.kills;

import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A daemon that is killed again and again, and its successors in the same folder. */
final class MortalDaemon {
  private static final int SECONDS_TO_END = 5;

  private final Process process;
  private final ControlDirectory directory;

  private MortalDaemon(Process process, ControlDirectory directory) {
    this.process = process;
    this.directory = directory;
  }

  static MortalDaemon start(Surroundings surroundings, Path folder) throws IOException {
    Files.createDirectories(folder);
    Process process =
        surroundings.start(
            List.of(surroundings.xsched().toString(), "serve", "--foreground", "--policy", "HPF"),
            Map.of("XSCHED_DIR", folder.toString()),
            output(surroundings));
    return new MortalDaemon(process, new ControlDirectory(folder));
  }

  static Path output(Surroundings surroundings) {
    return surroundings.folder().resolve("daemon.out");
  }

  /** Whether it takes programs; files do not tell, because they outlive who made them. */
  boolean answers() {
    try {
      return !Registration.token(directory).isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  int kill() throws IOException, InterruptedException {
    return Death.of(process);
  }

  void end() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
