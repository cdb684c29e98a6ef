package dev.xsched.e2e;

import dev.xsched.client.DaemonScheduler;
import dev.xsched.queue.Command;
import dev.xsched.queue.XQueue;
import dev.xsched.sim.shared.SharedXpu;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Locale;

/**
 * What xpuload does, in Java: takes {@code --device} and {@code --command-us} and prints the same
 * line at its end. Its longest wait is the longest time in which it had work and none of it ended:
 * the last of several commands may wait for a turn of the device more than once.
 */
final class JavaLoad {
  private static final int WINDOW = 4;

  private volatile boolean ending;
  private long submitted;
  private long completed;
  private long endedNanos = Long.MIN_VALUE;
  private long longestNanos;

  private record InFlight(Command command, long sinceNanos) {}

  private JavaLoad() {}

  static String[] command() {
    return new String[] {
      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
      "--enable-native-access=ALL-UNNAMED",
      "-XX:+UseSerialGC",
      "-Xmx64m",
      "-cp",
      System.getProperty("java.class.path"),
      JavaLoad.class.getName()
    };
  }

  public static void main(String[] arguments) throws Exception {
    Path device = Path.of(argument(arguments, "--device"));
    long micros = Long.parseLong(argument(arguments, "--command-us"));
    JavaLoad load = new JavaLoad();
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> load.end(main)));
    try (SharedXpu xpu = SharedXpu.open(device);
        DaemonScheduler scheduler = DaemonScheduler.connect()) {
      load.run(xpu, scheduler.newQueue(xpu, "java"), Duration.ofNanos(1_000 * micros));
    }
  }

  private void run(SharedXpu xpu, XQueue queue, Duration time) throws InterruptedException {
    ArrayDeque<InFlight> inFlight = new ArrayDeque<>();
    while (!ending || !inFlight.isEmpty()) {
      if (!ending && inFlight.size() < WINDOW) {
        InFlight next = new InFlight(xpu.delay(time), System.nanoTime());
        queue.submit(next.command());
        submitted++;
        inFlight.add(next);
      } else {
        InFlight first = inFlight.remove();
        queue.wait(first.command());
        completed++;
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - Math.max(first.sinceNanos(), endedNanos));
        endedNanos = now;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "{\"registered\":true,\"completed\":%d,\"exactly_once\":%b,\"max_gate_wait_ms\":%.3f}%n",
        completed,
        submitted == completed,
        longestNanos / 1e6);
  }

  /** Has the JVM wait until the work is done and printed. */
  private void end(Thread main) {
    ending = true;
    try {
      main.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String argument(String[] arguments, String name) {
    for (int i = 0; i + 1 < arguments.length; i++) {
      if (arguments[i].equals(name)) {
        return arguments[i + 1];
      }
    }
    throw new IllegalArgumentException("no " + name);
  }
}
