package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Proves that programs are scheduled that know nothing of XSched: runs one that uses an
 * accelerator, and asks the daemon whether it counted what that launched.
 */
final class InterceptionCheck {
  private static final String NAME = "interception";

  /** A driver may take seconds to start; OpenCL compiles at first. */
  private static final long PATIENCE_MILLIS = 30_000;

  private static final int TRIES = 50;
  private static final long PAUSE_MILLIS = 20;

  private final DaemonClient client;

  /** By which the daemon knows the probe; in a container its pid is not the one that we see. */
  private final String probeName;

  InterceptionCheck(DaemonClient client, String probeName) {
    this.client = client;
    this.probeName = probeName;
  }

  static Finding check(DaemonClient client) {
    Optional<Path> library = NativeFiles.library();
    Optional<Path> program = NativeFiles.probe();
    if (library.isEmpty() || program.isEmpty()) {
      return Finding.warning(
          NAME,
          "there is no %s, so only programs that use the client library are scheduled"
              .formatted(library.isEmpty() ? "libxsched.so" : "xsched-probe"),
          NativeFiles.REMEDY);
    }
    String name = "xsched doctor " + ProcessHandle.current().pid();
    return new InterceptionCheck(client, name).check(program.get(), library.get());
  }

  static Finding withoutDaemon() {
    return Finding.warning(NAME, "not tried without a daemon", "xsched serve, then again");
  }

  Finding check(Path program, Path library) {
    try (Probe probe = Probe.start(program, library, client.directory().path(), probeName)) {
      return judge(probe, probe.line(PATIENCE_MILLIS), program);
    } catch (TimeoutException _) {
      return tooLate();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Finding.warning(NAME, "not tried to the end", "try again");
    } catch (IOException | Failure e) {
      return Finding.problem(NAME, "not tried: " + e.getMessage(), log());
    }
  }

  private Finding judge(Probe probe, String line, Path program)
      throws IOException, Failure, InterruptedException {
    if (line.startsWith("none ")) {
      return Finding.warning(
          NAME,
          "not tried, there is no device: " + line.substring("none ".length()),
          "install the driver of your accelerator; apt-get install pocl-opencl-icd makes one of the"
              + " CPU");
    }
    if (line.isEmpty()) {
      return Finding.problem(
          NAME,
          "a program that uses an accelerator ended with code %d; %s"
              .formatted(probe.code(), said(probe)),
          "see whether it works without XSched: " + program);
    }
    for (int i = 0; i < TRIES; i++) {
      if (queues().stream().anyMatch(queue -> queue.launched() > 0)) {
        return Finding.ok(NAME, "a launch was counted, of " + line);
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return registered()
        ? Finding.problem(
            NAME,
            "%s was used, the program registered, and none of its launches was counted"
                .formatted(line),
            "the driver is called in a way that the library does not know; please report it")
        : Finding.problem(
            NAME, "%s was used without the daemon; %s".formatted(line, said(probe)), log());
  }

  private Finding tooLate() {
    try {
      boolean waits = queues().stream().anyMatch(queue -> queue.state().equals("waiting"));
      return waits
          ? Finding.warning(
              NAME, "the launch still waits for others", "try again when the device is idle")
          : Finding.problem(
              NAME,
              "the driver does not answer",
              "see whether other programs that use the device hang, too");
    } catch (Failure e) {
      return Finding.problem(NAME, String.valueOf(e.getMessage()), log());
    }
  }

  private boolean registered() throws Failure {
    return client.state().programs().stream().anyMatch(p -> p.name().equals(probeName));
  }

  private List<QueueState> queues() throws Failure {
    return QueueRow.of(client.state()).stream()
        .filter(row -> row.program().name().equals(probeName))
        .map(QueueRow::queue)
        .toList();
  }

  private static String said(Probe probe) throws IOException {
    String complaint = probe.complaint();
    return complaint.isEmpty() ? "it said nothing" : "it said: " + complaint;
  }

  private String log() {
    return "see the daemon's log, " + client.directory().log();
  }
}
