import dev.xsched.policy.Hint;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.time.Duration;

/** Two queues of one program share a device by priority. */
final class TwoQueues {
  public static void main(String[] args) throws InterruptedException {
    // [readme]
    try (Device xpu = Devices.open("auto");
        LocalScheduler scheduler = LocalScheduler.start("HPF")) {
      XQueue low = scheduler.newQueue(xpu, "low");
      XQueue high = scheduler.newQueue(xpu, "high");
      scheduler.hint(high, Hint.PRIORITY, 10);
      for (int i = 0; i < 100; i++) low.submit(xpu.delay(Duration.ofMillis(2)));
      Command urgent = xpu.delay(Duration.ofMillis(2));
      high.submit(urgent); // low launches nothing more until this has completed
      high.wait(urgent);
      System.out.println("urgent is done, low still has work: " + low.query());
      low.waitAll();
    }
    // [readme]
  }
}
