package dev.xsched.client;

import dev.xsched.link.ControlDirectory;
import dev.xsched.queue.XQueue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A program that leaves its main method with work in flight and nothing closed. */
final class CarelessProgram {
  private CarelessProgram() {}

  public static void main(String[] args) {
    DaemonScheduler scheduler =
        DaemonScheduler.connect(
            List.of(new ControlDirectory(Path.of(args[0]))), Map.of("XSCHED_NAME", "careless"));
    XQueue queue = scheduler.newQueue(new HandDevice(), "left behind");
    HandDevice.submit(queue, 10);
    System.out.println(scheduler.registered() ? "registered" : "alone");
    if (args.length > 1) {
      Conditions.pause(Long.parseLong(args[1]));
    }
  }
}
