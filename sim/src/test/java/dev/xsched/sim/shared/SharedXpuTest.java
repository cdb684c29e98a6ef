package dev.xsched.sim.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.XQueue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedXpuTest {
  @TempDir Path folder;

  @Test
  void twoThatOpenTheSamePathShareOneDevice() throws Exception {
    try (SharedXpu one = SharedXpu.open(folder.resolve("xpu"));
        SharedXpu other = SharedXpu.open(folder.resolve("xpu"))) {
      HwQueue ofOne = one.newHwQueue();
      HwQueue ofOther = other.newHwQueue();
      Command last = other.delay(Duration.ofMillis(2));
      ofOne.launch(one.delay(Duration.ofMillis(30)));
      long launched = System.nanoTime();
      ofOther.launch(last);
      assertThat(ofOther.sync(last)).isTrue();

      List<SharedRun> runs = one.runs();
      assertThat(runs).hasSize(2).isEqualTo(other.runs());
      assertThat(runs.get(1).startNanos()).isGreaterThanOrEqualTo(runs.get(0).endNanos());
      assertThat(runs.get(1).endNanos() - runs.get(1).startNanos()).isEqualTo(2_000_000);
      assertThat(System.nanoTime()).isGreaterThanOrEqualTo(runs.get(1).endNanos());
      assertThat(runs.get(1).endNanos()).isGreaterThan(launched);
      assertThat(runs).extracting(SharedRun::pid).containsOnly((int) ProcessHandle.current().pid());
      assertThat(one.busyNanos()).isEqualTo(32_000_000);
      assertThat(one.launches()).isEqualTo(2);
      assertThat(one.name()).isEqualTo("shared:" + folder.resolve("xpu").toRealPath());
    }
  }

  @Test
  void manyThreadsNeverRunAtTheSameTime() throws Exception {
    Path path = folder.resolve("xpu");
    List<Thread> threads =
        Stream.generate(() -> Thread.ofPlatform().start(() -> launchAHundred(path)))
            .limit(4)
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }
    try (SharedXpu device = SharedXpu.open(path)) {
      List<SharedRun> runs =
          device.runs().stream().sorted(Comparator.comparingLong(SharedRun::startNanos)).toList();
      assertThat(runs).hasSize(400);
      for (int i = 1; i < runs.size(); i++) {
        assertThat(runs.get(i).startNanos()).isGreaterThanOrEqualTo(runs.get(i - 1).endNanos());
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(path);
    }
  }

  private static void launchAHundred(Path path) {
    try (SharedXpu device = SharedXpu.open(path)) {
      HwQueue queue = device.newHwQueue();
      for (int i = 0; i < 100; i++) {
        queue.launch(device.delay(Duration.ofNanos(500)));
      }
    }
  }

  @Test
  void theRingKeepsTheLastRuns() {
    try (SharedXpu device = SharedXpu.open(folder.resolve("xpu"))) {
      HwQueue queue = device.newHwQueue();
      for (int i = 0; i < SharedFile.RUNS + 10; i++) {
        queue.launch(device.delay(Duration.ofNanos(1)));
      }
      assertThat(device.runs()).hasSize(SharedFile.RUNS);
      assertThat(device.launches()).isEqualTo(SharedFile.RUNS + 10);
    }
  }

  @Test
  void anXQueueRunsOnIt() throws Exception {
    try (Device device = Devices.open("shared:" + folder.resolve("xpu"))) {
      assertThat(device.simulated()).isTrue();
      try (XQueue queue =
          new XQueue("test", device.newHwQueue(), device.syncer(), System::nanoTime)) {
        for (int i = 0; i < 50; i++) {
          queue.submit(device.delay(Duration.ofNanos(10_000)));
        }
        queue.waitAll();
      }
      assertThat(((SharedXpu) device).runs())
          .extracting(SharedRun::sequence)
          .containsExactlyElementsOf(Stream.iterate(1L, n -> n + 1).limit(50).toList());
    }
  }

  @Test
  void aPathMustBeNamedAndFitAndBeADevice() throws Exception {
    assertThatThrownBy(() -> Devices.open("shared"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("give shared:PATH");
    Path other = Files.writeString(folder.resolve("other"), "not a device");
    assertThatThrownBy(() -> SharedXpu.open(other))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is no device of this version");
    assertThatThrownBy(() -> SharedXpu.open(folder.resolve("x".repeat(80))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("too long");
  }
}
