package dev.xsched.e2e;

import dev.xsched.client.DaemonScheduler;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A Java program that keeps a device busy: device, priority, seconds. */
final class JavaLoad {
  private static final int SUBMITTED_AHEAD = 20;

  private JavaLoad() {}

  public static void main(String[] args) throws InterruptedException {
    long end = System.nanoTime() + Long.parseLong(args[2]) * 1_000_000_000;
    int completed = 0;
    try (Device xpu = Devices.open(args[0]);
        DaemonScheduler scheduler = DaemonScheduler.connect()) {
      XQueue queue = scheduler.newQueue(xpu, "java");
      scheduler.hint(queue, Hint.PRIORITY, Long.parseLong(args[1]));
      Deque<Command> open = new ArrayDeque<>();
      while (System.nanoTime() < end) {
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
}
