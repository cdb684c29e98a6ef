package dev.xsched.gpu;

import dev.xsched.queue.XQueue;
import java.time.Duration;

/** Runs the checks on a real device, with a line for each, and shows how exact delays are. */
public final class StreamProof {
  private StreamProof() {}

  /** Returns the exit code. */
  public static int run(StreamDevice device, StreamChecks checks) throws InterruptedException {
    int failed = 0;
    System.out.println("device  " + device.name() + ", key " + device.key());
    for (var check : checks.all().entrySet()) {
      try {
        check.getValue().run();
        System.out.println("ok      " + check.getKey());
      } catch (Exception | AssertionError e) {
        failed++;
        System.out.println("FAILED  " + check.getKey() + ": " + e);
        e.printStackTrace(System.out);
      }
    }
    measureDelays(device);
    System.out.println(failed == 0 ? "all checks passed" : failed + " checks FAILED");
    return failed == 0 ? 0 : 1;
  }

  private static void measureDelays(StreamDevice device) throws InterruptedException {
    XQueue queue = new XQueue("q", device.newHwQueue(), device.syncer(), System::nanoTime);
    for (int micros : new int[] {50, 200, 1000, 10_000}) {
      int count = 100_000 / micros;
      long begin = System.nanoTime();
      for (int i = 0; i < count; i++) {
        queue.submit(device.delay(Duration.ofNanos(1000L * micros)));
      }
      queue.waitAll();
      System.out.printf(
          "delay   %d of %d us each took %.1f us each%n",
          count, micros, (System.nanoTime() - begin) / 1e3 / count);
    }
    queue.close();
  }
}
