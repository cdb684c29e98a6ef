package dev.xsched.cli.daemon;

import dev.xsched.cli.Failure;
import dev.xsched.cli.doctor.Finding;
import dev.xsched.client.DaemonScheduler;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Proves that a launch is seen: this process registers as a program, launches on the best device
 * found, and asks by REST whether the daemon counted it. A silent no-op is the worst failure there
 * is.
 */
final class LaunchCheck {
  private static final int TRIES = 50;
  private static final long PAUSE_MILLIS = 20;

  private LaunchCheck() {}

  static Finding check(DaemonClient client) {
    try (Device device = Devices.open("auto");
        DaemonScheduler scheduler =
            DaemonScheduler.connect(
                List.of(client.directory()), Map.of("XSCHED_NAME", "xsched doctor"))) {
      XQueue queue = scheduler.newQueue(device, "doctor");
      for (int i = 0; i < TRIES && !scheduler.registered(); i++) {
        Thread.sleep(PAUSE_MILLIS);
      }
      if (!scheduler.registered()) {
        return Finding.problem(
            "launch",
            "the daemon does not take this program in",
            "see its log, " + client.directory().log());
      }
      Command command = device.delay(Duration.ofMillis(1));
      queue.submit(command);
      queue.wait(command);
      return seen(client)
          ? Finding.ok("launch", "one on " + device.name() + " was counted by the daemon")
          : Finding.problem(
              "launch",
              "one was made, and the daemon did not count it",
              "see its log, " + client.directory().log());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Finding.warning("launch", "not tried to the end", "try again");
    } catch (Failure | RuntimeException e) {
      return Finding.problem(
          "launch", "failed: " + e.getMessage(), "see the log, " + client.directory().log());
    }
  }

  private static boolean seen(DaemonClient client) throws Failure, InterruptedException {
    for (int i = 0; i < TRIES; i++) {
      Optional<QueueState> queue =
          QueueRow.of(client.state()).stream()
              .filter(row -> row.program().pid() == ProcessHandle.current().pid())
              .map(QueueRow::queue)
              .findFirst();
      if (queue.isPresent() && queue.get().launched() > 0) {
        return true;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
    return false;
  }
}
