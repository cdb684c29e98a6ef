package dev.xsched.sim;

import static dev.xsched.sim.Models.FIFO;
import static dev.xsched.sim.Models.SHARING;
import static dev.xsched.sim.Models.model;
import static dev.xsched.sim.Models.roundRobin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.queue.Command;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The six calls, on every kind of native scheduler. The interrupt costs 5 and the restore 7. */
class VirtualQueueTest {
  static Stream<NativeScheduler> schedulers() {
    return Stream.of(FIFO, roundRobin(1_000_000, 0, true), SHARING);
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void deactivateLetsTheRunningCommandEndAndKeepsTheOthers(NativeScheduler scheduler) {
    Bench bench = new Bench(model(scheduler, 1));
    VirtualQueue queue = bench.device.newHwQueue();
    Command first = bench.launch(queue, 100);
    Command second = bench.launch(queue, 100);
    bench.at(30, queue::deactivate);
    bench.at(
        30,
        () -> {
          bench.watch(queue, "second", second);
          assertThat(first.isFinished()).isFalse();
        });
    bench.at(500, () -> assertThat(queue.lastBusyNanos()).isEqualTo(100));
    bench.at(1_000, queue::reactivate);
    bench.at(1_000, () -> bench.watch(queue, "second", second));
    assertThat(bench.run()).containsExactly("left second@100", "second@1100");
    assertThat(queue.busyNanos()).isEqualTo(200);
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void interruptTakesTheRunningCommandOffAndRestoreContinuesIt(NativeScheduler scheduler) {
    Bench bench = new Bench(model(scheduler, 1));
    VirtualQueue queue = bench.device.newHwQueue();
    Command command = bench.launch(queue, 100);
    bench.at(30, queue::interrupt);
    bench.at(30, () -> bench.watch(queue, "it", command));
    bench.at(500, () -> assertThat(queue.lastBusyNanos()).isEqualTo(35));
    bench.at(500, () -> assertThat(queue.busyNanos()).isEqualTo(35));
    bench.at(1_000, queue::restore);
    bench.at(1_008, () -> bench.watch(queue, "it", command));
    // 65 of 100 were left at 35; the restore costs 7.
    assertThat(bench.run()).containsExactly("left it@35", "it@1072");
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void aRestoreThatOvertakesItsInterruptWaitsForIt(NativeScheduler scheduler) {
    Bench bench = new Bench(model(scheduler, 1));
    VirtualQueue queue = bench.device.newHwQueue();
    Command command = bench.launch(queue, 100);
    bench.at(30, queue::interrupt);
    bench.at(31, queue::restore);
    bench.at(60, () -> bench.watch(queue, "it", command));
    assertThat(bench.run()).containsExactly("it@107");
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void aCommandThatEndsBeforeTheInterruptTakesEffectHasCompleted(NativeScheduler scheduler) {
    Bench bench = new Bench(model(scheduler, 1));
    VirtualQueue queue = bench.device.newHwQueue();
    Command first = bench.launch(queue, 100);
    Command second = bench.launch(queue, 100);
    bench.at(98, queue::interrupt);
    bench.at(98, () -> bench.watch(queue, "first", first));
    bench.at(200, () -> bench.watch(queue, "second", second));
    bench.at(300, queue::restore);
    bench.at(310, () -> bench.watch(queue, "second", second));
    assertThat(bench.run()).containsExactly("first@100", "left second@200", "second@407");
  }

  @Test
  void aDeactivationTakesEffectWhenItHasReachedTheDevice() {
    // On this model it needs at least 15 us; delays take 1.3 times as long as asked for.
    Bench bench = new Bench(DeviceModels.load("gv100"));
    VirtualQueue queue = bench.device.newHwQueue();
    for (int i = 0; i < 100; i++) {
      queue.launch(bench.device.delay(Duration.ofNanos(1_000)));
    }
    bench.at(300_000, queue::deactivate);
    bench.run();
    assertThat(queue.lastBusyNanos()).isBetween(315_000L, 330_000L);
    assertThat(queue.busyNanos()).isLessThan(100 * 1_300);
  }

  @Test
  void aStoppedQueueLeavesTheDeviceToOthers() {
    Bench bench = new Bench(model(roundRobin(1_000_000, 0, true), 1));
    VirtualQueue low = bench.device.newHwQueue();
    VirtualQueue high = bench.device.newHwQueue();
    bench.launch(low, 10_000);
    bench.at(100, () -> bench.launchAndWatch(high, "high", 50));
    bench.at(100, low::interrupt);
    assertThat(bench.run()).containsExactly("high@155");
  }

  @Test
  void aQueueThatWasStoppedBeforeItsCommandArrivedDoesNotRunIt() {
    Bench bench = new Bench(model(FIFO, 1, 50, 0));
    VirtualQueue queue = bench.device.newHwQueue();
    Command command = bench.launch(queue, 10);
    bench.at(20, queue::deactivate);
    bench.at(100, () -> bench.watch(queue, "it", command));
    assertThat(bench.run()).containsExactly("left it@100");
    assertThat(queue.busyNanos()).isZero();
  }

  @Test
  void waitingOnVirtualTimeIsRefusedBecauseNoTimeWouldPass() {
    Bench bench = new Bench(model(FIFO, 1));
    VirtualQueue queue = bench.device.newHwQueue();
    Command command = bench.launch(queue, 10);
    assertThatIllegalStateException().isThrownBy(() -> queue.sync(command));
  }

  @Test
  void aLevelThatTheModelLacksIsRefused() {
    VirtualQueue queue = new Bench(DeviceModels.load("dla")).device.newHwQueue();
    assertThatThrownBy(queue::deactivate).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(queue::reactivate).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(queue::interrupt).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(queue::restore).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aForeignCommandIsRefused() {
    VirtualQueue queue = new Bench(model(FIFO, 1)).device.newHwQueue();
    assertThatIllegalArgumentException().isThrownBy(() -> queue.launch(new Command()));
  }
}
