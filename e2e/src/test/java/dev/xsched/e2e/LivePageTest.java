package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.http.Browser;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page in a real browser, with a real daemon and real programs. */
class LivePageTest {
  @Test
  void aHintChangedOnThePageChangesTheSchedule() throws Exception {
    Browser browser = Browser.find();
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      Load alpha = load(machine, "alpha").start();
      Load beta = load(machine, "beta").start();
      daemon.awaitPrograms(2);
      URI page = URI.create("http://%s/#token=%s".formatted(daemon.address(), daemon.token()));
      long before = System.nanoTime();
      browser.play("live", page, List.of("alpha", "beta"));
      Thread.sleep(500);
      DeviceTrace trace = machine.trace();
      // The scenario first gives alpha the higher priority, then beta, and leaves it at that.
      assertThat(trace.between(before, Long.MAX_VALUE).of(alpha).size()).isPositive();
      assertThat(trace.between(System.nanoTime() - 400_000_000, Long.MAX_VALUE).percentOf(beta))
          .isGreaterThan(98);
    }
  }

  private static Load.Builder load(Machine machine, String name) {
    return machine.load(name).with("command-us", 500).with("window", 4).with("seconds", 120);
  }
}
