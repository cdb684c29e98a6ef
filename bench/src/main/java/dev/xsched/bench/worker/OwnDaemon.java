package dev.xsched.bench.worker;

import dev.xsched.bench.PlainEnvironment;
import dev.xsched.bench.scene.StageException;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.json.Json;
import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Hint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A daemon for experiments alone, in a folder of its own: one that serves the machine is neither
 * disturbed nor measured. Everything is done by the command that users have.
 */
final class OwnDaemon implements AutoCloseable {
  private static final String FIRST_POLICY = "HPF";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Path command;
  private final Path folder;
  private @Nullable Process process;
  private String policy = FIRST_POLICY;

  OwnDaemon(Path command, Path folder) {
    this.command = command;
    this.folder = folder;
  }

  /** Sees that it runs. */
  void start() throws StageException, InterruptedException {
    if (process == null) {
      process = launch();
    }
  }

  /** Sees that it decides by that policy. */
  void decideBy(String wanted) throws StageException, InterruptedException {
    if (!wanted.equals(policy)) {
      xsched(List.of("policy", wanted));
      policy = wanted;
    }
  }

  void hint(long pid, Map<Hint, Long> hints) throws StageException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("hint", Long.toString(pid)));
    hints.forEach((hint, value) -> arguments.add(option(hint, value)));
    xsched(arguments);
  }

  /** As users write it. */
  static String option(Hint hint, long value) {
    return switch (hint) {
      case SLO_RATIO -> "--slo=%sx".formatted(value / 1e3);
      case LAXITY -> "--laxity=%dus".formatted(value);
      default -> "--%s=%d".formatted(hint.label(), value);
    };
  }

  /** The programs that it knows, as {@code xsched list} shows them. */
  List<ProgramState> programs() throws StageException, InterruptedException {
    String json = xsched(List.of("list", "--json"));
    return List.of(Json.read(json.getBytes(StandardCharsets.UTF_8), ProgramState[].class));
  }

  /** Processor time that it has used. */
  double processorSeconds() throws StageException {
    if (process == null || !process.isAlive()) {
      throw gone();
    }
    try {
      return ProcessorTime.seconds(process.pid());
    } catch (IOException _) {
      throw gone();
    }
  }

  private Process launch() throws StageException, InterruptedException {
    ControlDirectory directory = new ControlDirectory(folder);
    ProcessBuilder builder =
        new ProcessBuilder(command.toString(), "serve", "--foreground", "--policy", FIRST_POLICY);
    PlainEnvironment.of(builder);
    builder.environment().put("XSCHED_DIR", folder.toString());
    builder.redirectErrorStream(true).redirectOutput(log().toFile());
    try {
      Files.createDirectories(folder);
      Process started = builder.start();
      // Unlike workers it does not end with our end of a pipe.
      Runtime.getRuntime().addShutdownHook(new Thread(started::destroy));
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!Files.exists(directory.http()) || !Files.exists(directory.socket())) {
        if (!started.isAlive() || System.nanoTime() > end) {
          started.destroyForcibly();
          throw gone();
        }
        Thread.sleep(20);
      }
      return started;
    } catch (IOException e) {
      throw new StageException(
          "no daemon can be started in %s: %s".formatted(folder, e.getMessage()), e);
    }
  }

  private Path log() {
    return folder.resolveSibling("daemon.log");
  }

  private StageException gone() {
    String words;
    try {
      words = Files.readString(log()).strip().replace("\n", " | ");
    } catch (IOException e) {
      words = e.toString();
    }
    return new StageException("the daemon is gone; what it said: " + words);
  }

  private String xsched(List<String> arguments) throws StageException, InterruptedException {
    List<String> line = new ArrayList<>(List.of(command.toString()));
    line.addAll(arguments);
    return Shell.run(line, Map.of("XSCHED_DIR", folder.toString()), "");
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroy();
      process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join().destroyForcibly();
    }
  }
}
