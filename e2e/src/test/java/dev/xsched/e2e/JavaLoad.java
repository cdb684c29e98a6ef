package dev.xsched.e2e;

import dev.xsched.client.DaemonScheduler;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.XQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A Java program that keeps a device busy until its input ends: device, priority. */
final class JavaLoad {
  private static final int SUBMITTED_AHEAD = 20;

  private JavaLoad() {}

  public static void main(String[] args) throws InterruptedException {
    int completed = 0;
    Thread input = Thread.ofPlatform().daemon().start(JavaLoad::awaitEndOfInput);
    try (Device xpu = Devices.open(args[0]);
        DaemonScheduler scheduler = DaemonScheduler.connect()) {
      XQueue queue = scheduler.newQueue(xpu, "java");
      scheduler.hint(queue, Hint.PRIORITY, Long.parseLong(args[1]));
      Deque<Command> open = new ArrayDeque<>();
      while (input.isAlive()) {
        while (open.size() < SUBMITTED_AHEAD) {
          Command command = xpu.delay(Duration.ofNanos(500_000));
          queue.submit(command);
          open.add(command);
        }
        queue.wait(open.remove());
        completed++;
      }
      queue.waitAll();
      completed += open.size();
    }
    System.out.println("completed " + completed);
  }

  private static void awaitEndOfInput() {
    try {
      System.in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
