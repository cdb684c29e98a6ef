package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.Devices;
import dev.xsched.queue.Level;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The device on real time with real threads. How long things take decides nothing here. */
@Timeout(60)
class RealTimeTest {
  private static final int COMMANDS = 200;

  @ParameterizedTest
  @EnumSource(Level.class)
  void completesEverythingOnceInOrderOverManySuspends(Level level) throws InterruptedException {
    try (Device device = Devices.open("sim:gv100")) {
      completesEverything(device, device.syncer(), level);
    }
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void threadsThatBlockInSyncWorkAsWell(Level level) throws InterruptedException {
    try (Device device = Devices.open("sim:gv100");
        ThreadSyncer syncer = new ThreadSyncer()) {
      completesEverything(device, syncer, level);
    }
  }

  private static void completesEverything(Device device, Syncer syncer, Level level)
      throws InterruptedException {
    List<Integer> finished = new CopyOnWriteArrayList<>();
    try (XQueue queue = new XQueue("queue", device.newHwQueue(), syncer, System::nanoTime)) {
      queue.setLevel(level);
      for (int i = 0; i < COMMANDS; i++) {
        int number = i;
        queue.submit(device.delay(Duration.ofNanos(50_000)).onFinish(() -> finished.add(number)));
      }
      for (int i = 0; i < 20; i++) {
        queue.suspend(XQueue.Suspend.SYNC_HARDWARE);
        queue.resume();
      }
      queue.waitAll();
    }
    assertThat(finished).isEqualTo(IntStream.range(0, COMMANDS).boxed().toList());
  }

  @Test
  void blockingSyncTellsThatTheDeviceHasLeftAStoppedQueue() throws InterruptedException {
    try (VirtualXpu device = VirtualXpu.realTime(DeviceModels.load("gv100"))) {
      VirtualQueue queue = device.newHwQueue();
      Command endless = device.command(Duration.ofHours(1).toNanos());
      queue.launch(endless);
      queue.interrupt();
      assertThat(queue.sync(endless)).isFalse();
    }
  }

  @Test
  void automaticChoiceFindsTheVirtualXpu() {
    try (Device device = Devices.open("auto")) {
      assertThat(device.name()).isEqualTo("virtual XPU gv100");
      assertThat(device.simulated()).isTrue();
    }
  }

  @Test
  void theLoopTakesEventsFromManyThreadsAndKeepsEachOnesOrder() throws InterruptedException {
    List<Integer> seen = new CopyOnWriteArrayList<>();
    try (RealLoop loop = new RealLoop("test")) {
      long when = loop.nowNanos() + 2_000_000;
      List<Thread> threads =
          IntStream.range(0, 4)
              .mapToObj(
                  t ->
                      Thread.ofPlatform()
                          .start(
                              () -> {
                                for (int i = 0; i < 100; i++) {
                                  int number = 1000 * t + i;
                                  loop.at(when, () -> seen.add(number));
                                }
                              }))
              .toList();
      for (Thread thread : threads) {
        thread.join();
      }
      while (seen.size() < 400) {
        Thread.onSpinWait();
      }
    }
    for (int t = 0; t < 4; t++) {
      int from = 1000 * t;
      assertThat(seen.stream().filter(n -> n >= from && n < from + 1000)).hasSize(100).isSorted();
    }
  }

  @Test
  void anEventThatThrowsDoesNotStopTheOthers() throws InterruptedException {
    List<String> seen = new CopyOnWriteArrayList<>();
    try (RealLoop loop = new RealLoop("test")) {
      loop.at(
          0,
          () -> {
            throw new IllegalStateException("expected in this test's log");
          });
      loop.at(1, () -> seen.add("after"));
      while (seen.isEmpty()) {
        Thread.sleep(1);
      }
    }
    assertThat(seen).containsExactly("after");
  }
}
