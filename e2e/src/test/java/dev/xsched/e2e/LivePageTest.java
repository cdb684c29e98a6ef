package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.http.Browser;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page in a real browser, with a real daemon and real programs. */
class LivePageTest {
  private static final int ATTEMPTS = 50;

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
      // The scenario first gives alpha the higher priority, then beta, and leaves it at that.
      assertThat(machine.trace().between(before, Long.MAX_VALUE).of(alpha).size()).isPositive();
      awaitAlmostAll(machine, beta);
    }
  }

  /**
   * Waits for a time in which nearly all of the device is one program's. Where that has no
   * processor for a moment, it has no work, and the other one rightly runs.
   */
  private static void awaitAlmostAll(Machine machine, Load load) throws Exception {
    double percent = 0;
    for (int i = 0; i < ATTEMPTS && percent <= 98; i++) {
      long from = System.nanoTime();
      Thread.sleep(400);
      percent = machine.trace().between(from, Long.MAX_VALUE).percentOf(load);
    }
    assertThat(percent).isGreaterThan(98);
  }

  private static Load.Builder load(Machine machine, String name) {
    return machine.load(name).with("command-us", 500).with("window", 4).with("seconds", 120);
  }
}
