package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.Terminal;
import dev.xsched.link.ControlDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Starts a daemon in the background. A shell starts it and ends at once, so that the daemon is no
 * child of ours: {@code run} becomes a program that would not expect one.
 */
final class DaemonProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long LONGEST_LOG = 1 << 20;
  private static final Duration SILENCE = Duration.ofSeconds(2);
  private static final String SCRIPT = "log=$1; shift; \"$@\" </dev/null >>\"$log\" 2>&1 & echo $!";

  private final ControlDirectory directory;
  private final List<String> command;
  private final Terminal terminal;
  private final int uid;

  DaemonProcess(ControlDirectory directory, List<String> command, Terminal terminal, int uid) {
    this.directory = directory;
    this.command = command;
    this.terminal = terminal;
    this.uid = uid;
  }

  /** The command line of a daemon: this Java, these classes. */
  static List<String> command(List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(
        ProcessHandle.current()
            .info()
            .command()
            .orElse(System.getProperty("java.home") + "/bin/java"));
    line.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m", "-Xss512k"));
    line.add("--enable-native-access=ALL-UNNAMED");
    String cache = System.getProperty("xsched.cache", "");
    if (!cache.isEmpty()) {
      line.addAll(
          List.of(
              "-XX:AOTCache=" + cache,
              "-Xlog:disable",
              "-Xlog:all=off",
              "-Dxsched.cache=" + cache));
    }
    line.add("-Dxsched.commit=" + System.getProperty("xsched.commit", ""));
    line.addAll(List.of("-cp", absoluteClassPath(), "dev.xsched.cli.Main"));
    line.addAll(List.of("serve", "--foreground", "--detached"));
    line.addAll(arguments);
    return line;
  }

  /** The daemon runs in another folder than we do. */
  private static String absoluteClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(entry -> Path.of(entry).toAbsolutePath().toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Starts it and waits until it answers. */
  DaemonClient start() throws Failure, InterruptedException {
    long pid = spawn();
    long begin = System.nanoTime();
    Duration lastSeen = Duration.ZERO;
    boolean said = false;
    try {
      while (true) {
        Optional<DaemonClient> client = DaemonClient.in(directory, uid);
        if (client.isPresent()) {
          return client.get();
        }
        Duration passed = Duration.ofNanos(System.nanoTime() - begin);
        if (DaemonFiles.alive(pid)) {
          lastSeen = passed;
        } else if (noOther() || passed.minus(lastSeen).compareTo(SILENCE) > 0) {
          throw new Failure("the daemon did not start: " + lastWords());
        }
        if (passed.compareTo(PATIENCE) > 0) {
          throw new Failure(
              "the daemon (pid %d) does not answer after %d s; see %s"
                  .formatted(pid, PATIENCE.toSeconds(), directory.log()));
        }
        if (passed.compareTo(SILENCE) > 0 && terminal.live()) {
          terminal.err().printf("\rxsched: waiting for the daemon, %d s ", passed.toSeconds());
          terminal.err().flush();
          said = true;
        }
        Thread.sleep(20);
      }
    } finally {
      if (said) {
        terminal.err().print("\r\033[K");
        terminal.err().flush();
      }
    }
  }

  private long spawn() throws Failure {
    try {
      prepareFolder();
      List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "xsched"));
      line.add(directory.log().toString());
      line.addAll(command);
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .directory(new File("/"))
              .redirectInput(new File("/dev/null"))
              .redirectError(ProcessBuilder.Redirect.appendTo(directory.log().toFile()));
      // A relative one would be another folder from there.
      builder.environment().computeIfPresent("XSCHED_DIR", (_, _) -> directory.path().toString());
      Process shell = builder.start();
      String pid = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return Long.parseLong(pid.strip());
    } catch (IOException | NumberFormatException e) {
      String reason =
          e instanceof FileSystemException file ? DaemonFiles.reason(file) : e.getMessage();
      throw new Failure(
          "the daemon cannot be started in %s (%s); choose another folder with XSCHED_DIR"
              .formatted(directory.path(), reason));
    }
  }

  /** As the daemon would: everybody may look into root's folder, nobody into a user's. */
  private void prepareFolder() throws IOException {
    if (!Files.isDirectory(directory.path())) {
      Files.createDirectories(
          directory.path(),
          PosixFilePermissions.asFileAttribute(
              PosixFilePermissions.fromString(uid == 0 ? "rwxr-xr-x" : "rwx------")));
    }
    int owner = (int) Files.getAttribute(directory.path(), "unix:uid");
    if (owner != uid) {
      throw new IOException("the folder belongs to uid " + owner);
    }
    prepareLog(directory.log());
  }

  /** Several may be at it: programs are often started together. */
  static void prepareLog(Path log) throws IOException {
    try {
      if (Files.size(log) > LONGEST_LOG) {
        Files.move(log, log.resolveSibling("log.old"), StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (NoSuchFileException _) {
      // There was none yet, or another has just moved it.
    }
    try {
      Files.createFile(
          log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException _) {
      // The last daemon's, or another has just made it.
    }
  }

  /** Another daemon may have been quicker: then ours ends, and that one will answer soon. */
  private boolean noOther() {
    return DaemonFiles.pid(directory).filter(DaemonFiles::alive).isEmpty();
  }

  private String lastWords() {
    try {
      List<String> lines = Files.readAllLines(directory.log());
      return lines.isEmpty() ? "it said nothing" : lines.getLast().replaceFirst("^xsched: ", "");
    } catch (IOException e) {
      return e.toString();
    }
  }
}
