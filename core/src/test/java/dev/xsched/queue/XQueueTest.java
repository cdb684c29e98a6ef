package dev.xsched.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XQueueTest {
  private final ManualDevice device =
      new ManualDevice(Level.BLOCK, Level.DEACTIVATE, Level.INTERRUPT);
  private long nowNanos = 1;
  private final XQueue queue = queueOn(device);

  private XQueue queueOn(ManualDevice hw) {
    XQueue q = new XQueue("test", hw, hw, () -> nowNanos);
    q.setWindow(new LaunchWindow.Fixed(8, 4));
    return q;
  }

  private List<Command> submit(int count) {
    List<Command> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Command command = new Command();
      commands.add(command);
      queue.submit(command);
    }
    return commands;
  }

  /** Submits so that the queue sees all of them before it launches the first. */
  private List<Command> submitAtOnce(int count) {
    queue.order(false);
    List<Command> commands = submit(count);
    queue.order(true);
    device.calls.clear();
    return commands;
  }

  @Test
  void fillsTheWindowAndGoesOnWhenHalfOfItHasCompleted() {
    submitAtOnce(20);
    assertThat(device.launched).hasSize(8);
    assertThat(device.target()).isEqualTo(device.launched.get(3));
    device.completeTarget();
    assertThat(device.launched).hasSize(12);
    device.completeAll();
    assertThat(device.launched).hasSize(20);
    assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
  }

  /** One command is launched, takes 30 ns, is stopped then for 1,000, and takes 70 more. */
  private double commandNanosOfOneStoppedAt(Level level) {
    queue.setLevel(level);
    queue.setWindow(new LaunchWindow.Fixed(1, 1));
    submit(1);
    nowNanos += 30;
    queue.order(false);
    if (level == Level.DEACTIVATE) {
      device.leave();
    }
    nowNanos += 1_000;
    queue.order(true);
    nowNanos += 70;
    device.completeAll();
    return queue.stats().commandNanos();
  }

  @ParameterizedTest
  @CsvSource({"BLOCK, 1100", "DEACTIVATE, 100", "INTERRUPT, 100"})
  void theTimeOfACommandIsWhatTheHardwareHadForIt(Level level, double nanos) {
    assertThat(commandNanosOfOneStoppedAt(level)).isEqualTo(nanos);
  }

  @Test
  void longerTimesAreDoubtedWhileOthersMayHaveTheHardware() {
    queue.setLevel(Level.BLOCK);
    queue.setWindow(new LaunchWindow.Fixed(1, 1));
    submit(2);
    nowNanos += 100;
    device.completeTarget();
    queue.order(false);
    nowNanos += 1_000;
    device.completeTarget();
    assertThat(queue.stats().commandNanos()).isGreaterThan(100).isLessThan(101);
  }

  @Test
  void plantsASyncPointPerBatch() {
    submit(8);
    assertThat(device.launched.stream().filter(Command::isSyncPoint).map(Command::sequence))
        .containsExactly(4L, 8L);
  }

  @Test
  void waitsForTheLastCommandWhenNoSyncPointIsInFlight() {
    List<Command> commands = submit(2);
    assertThat(device.target()).isEqualTo(commands.getFirst());
    device.completeTarget();
    assertThat(device.target()).isEqualTo(commands.getLast());
  }

  @Test
  void keepsAboutTheTimeOfTheWindowInFlight() {
    queue.setWindow(new LaunchWindow.Adaptive(Duration.ofMillis(1)));
    submit(10_000);
    assertThat(device.launched).as("before anything is measured").hasSize(2);
    for (int i = 0; i < 100; i++) {
      Command target = device.target();
      Objects.requireNonNull(target);
      nowNanos += 100_000 * (target.sequence() - completedThrough());
      device.completeTarget();
    }
    assertThat(queue.stats().commandNanos()).isBetween(99_000.0, 101_000.0);
    assertThat(queue.stats().inFlight()).isBetween(9, 10);
  }

  private long completedThrough() {
    return device.launched.stream()
        .filter(c -> c.state() == Command.State.COMPLETED)
        .mapToLong(Command::sequence)
        .max()
        .orElse(0);
  }

  @Test
  void keepsTwoLongCommandsInFlight() {
    queue.setWindow(new LaunchWindow.Adaptive(Duration.ofMillis(1)));
    submit(10);
    for (int i = 0; i < 3; i++) {
      nowNanos += 50_000_000;
      device.completeTarget();
      assertThat(queue.stats().inFlight()).isEqualTo(2);
    }
  }

  @Test
  void unlimitedWindowLaunchesEverythingAtOnce() {
    queue.setWindow(LaunchWindow.UNLIMITED);
    submit(1_000);
    assertThat(device.launched).hasSize(1_000);
  }

  @Test
  void stopsTheHardwareAtItsLevel() throws Exception {
    submit(8);
    queue.setLevel(Level.BLOCK);
    queue.suspend();
    queue.resume();
    queue.setLevel(Level.DEACTIVATE);
    queue.suspend();
    queue.resume();
    queue.setLevel(Level.INTERRUPT);
    queue.suspend();
    queue.resume();
    assertThat(device.calls).containsExactly("deactivate", "reactivate", "interrupt", "restore");
  }

  @Test
  void startsTheHardwareByTheMeansItWasStoppedWith() throws Exception {
    submit(8);
    queue.suspend();
    queue.setLevel(Level.BLOCK);
    queue.resume();
    assertThat(device.calls).containsExactly("interrupt", "restore");
  }

  @Test
  void goesOnWithWhatWasInFlightAfterTheHardwareHadLeft() throws Exception {
    List<Command> commands = submit(8);
    queue.suspend();
    device.leave();
    assertThat(device.target()).as("nothing to wait for while stopped").isNull();
    queue.resume();
    device.completeAll();
    assertThat(commands).allMatch(c -> c.state() == Command.State.COMPLETED);
  }

  @Test
  void userAndSchedulerHoldItIndependently() throws Exception {
    queue.setLevel(Level.BLOCK);
    queue.order(false);
    queue.suspend();
    submit(1);
    queue.order(true);
    assertThat(device.launched).as("the user still holds it").isEmpty();
    queue.order(false);
    queue.resume();
    assertThat(device.launched).as("the scheduler still holds it").isEmpty();
    queue.order(true);
    assertThat(device.launched).hasSize(1);
  }

  @Test
  void doesNotWantToRunWhileItsUserSuspendsIt() throws Exception {
    List<Long> heard = new ArrayList<>();
    queue.onRunnableChange(() -> heard.add(queue.runnableSinceNanos()));
    nowNanos = 7;
    submit(1);
    queue.suspend();
    queue.resume();
    device.completeAll();
    assertThat(heard).containsExactly(7L, XQueue.NOT_RUNNABLE, 7L, XQueue.NOT_RUNNABLE);
  }

  @Test
  void isHeardOnceWhenItTurnsReadyAndOnceWhenItTurnsIdle() {
    List<Long> heard = new ArrayList<>();
    queue.onRunnableChange(() -> heard.add(queue.runnableSinceNanos()));
    submit(20);
    device.completeAll();
    assertThat(heard).containsExactly(1L, XQueue.NOT_RUNNABLE);
  }

  @Test
  void dropsWhatIsPendingAndNothingElse() throws Exception {
    List<Command> commands = submit(10);
    queue.suspend();
    queue.resume(XQueue.Resume.DROP);
    device.completeAll();
    assertThat(commands.subList(0, 8)).allMatch(c -> c.state() == Command.State.COMPLETED);
    assertThat(commands.subList(8, 10)).allMatch(c -> c.state() == Command.State.DROPPED);
    assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
  }

  @Test
  void aSuspendThatWaitsForAllHoldsBackWhatComesLater() throws Exception {
    submit(2);
    Thread suspender = startAndAwaitWaiting(this::suspendWhenAllHaveFinished);
    Command later = submit(1).getFirst();
    assertThat(later.state()).isEqualTo(Command.State.PENDING);
    device.completeAll();
    suspender.join();
    assertThat(later.state()).isEqualTo(Command.State.PENDING);
    queue.resume();
    assertThat(later.state()).isEqualTo(Command.State.IN_FLIGHT);
  }

  @Test
  void noOrderStopsAQueueThatCloses() throws Exception {
    submit(8);
    Thread closer = startAndAwaitWaiting(queue::close);
    queue.order(false);
    assertThat(device.calls).isEmpty();
    device.completeAll();
    closer.join();
    assertThat(device.calls).containsExactly("close");
  }

  @Test
  void aSuspendThatStillWaitsStopsNoQueueThatCloses() throws Exception {
    submit(8);
    Thread suspender = startAndAwaitWaiting(this::suspendWhenAllHaveFinished);
    Thread closer = startAndAwaitWaiting(queue::close);
    suspender.join();
    assertThat(device.calls).isEmpty();
    device.completeAll();
    closer.join();
    queue.suspend();
    assertThat(device.calls).as("a queue that is closed is left alone").containsExactly("close");
  }

  private static Thread startAndAwaitWaiting(Runnable action) throws InterruptedException {
    Thread thread = Thread.ofPlatform().daemon().start(action);
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
    return thread;
  }

  private void suspendWhenAllHaveFinished() {
    try {
      queue.suspend(XQueue.Suspend.WAIT_ALL);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void givesTheHighestLevelThatTheHardwareHas() {
    XQueue simple = queueOn(new ManualDevice(Level.BLOCK));
    assertThat(simple.level()).isEqualTo(Level.BLOCK);
    assertThat(simple.setLevel(Level.INTERRUPT))
        .hasToString("level 3 is not available on this queue; level 1 is used");
    XQueue gap = queueOn(new ManualDevice(Level.BLOCK, Level.INTERRUPT));
    assertThat(gap.setLevel(Level.DEACTIVATE).given()).isEqualTo(Level.BLOCK);
    assertThat(gap.setLevel(Level.INTERRUPT)).hasToString("level 3");
  }

  @Test
  void fallsBackToLevelOneWhenTheDriverRefuses() throws Exception {
    submit(8);
    device.refusal = new IllegalStateException("driver says no");
    queue.suspend();
    device.refusal = null;
    assertThat(queue.level()).isEqualTo(Level.BLOCK);
    device.completeAll();
    queue.resume();
    submit(1);
    device.completeAll();
    assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
  }

  @Test
  void aRefusedCommandFailsInItsTurnAndTheOthersGoOn() {
    Command before = submit(1).getFirst();
    device.refusal = new IllegalStateException("driver says no");
    Command refused = submit(1).getFirst();
    device.refusal = null;
    Command after = submit(1).getFirst();
    device.completeAll();
    assertThat(before.state()).isEqualTo(Command.State.COMPLETED);
    assertThat(refused.state()).isEqualTo(Command.State.FAILED);
    assertThat(after.state()).isEqualTo(Command.State.COMPLETED);
    assertThatThrownBy(() -> queue.wait(refused))
        .isInstanceOf(DeviceException.class)
        .hasRootCauseMessage("driver says no");
  }

  @Test
  void aQueueThatOnlyHoldsRefusedCommandsTurnsIdle() {
    device.refusal = new IllegalStateException("driver says no");
    submit(3);
    assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
  }

  @Test
  void aBrokenWaitFailsWhatItWaitedFor() {
    List<Command> commands = submitAtOnce(8);
    device.failTarget(new IllegalStateException("device lost"));
    device.completeAll();
    assertThat(commands.subList(0, 4)).allMatch(c -> c.state() == Command.State.FAILED);
    assertThat(commands.subList(4, 8)).allMatch(c -> c.state() == Command.State.COMPLETED);
  }

  @Test
  void callbacksMaySubmitAndMayFail() {
    List<Long> order = new ArrayList<>();
    Command first = new Command();
    first.onFinish(
        () -> {
          order.add(first.sequence());
          queue.submit(new Command().onFinish(() -> order.add(2L)));
          throw new IllegalStateException("a user's bug");
        });
    queue.submit(first);
    device.completeAll();
    assertThat(order).containsExactly(1L, 2L);
  }

  @Test
  void goesOnWhateverACallbackThrows() {
    Command failing =
        new Command()
            .onFinish(
                () -> {
                  throw new NoSuchMethodError("a user's bug");
                });
    queue.submit(failing);
    Command after = submit(1).getFirst();
    device.completeAll();
    assertThat(after.state()).isEqualTo(Command.State.COMPLETED);
  }

  @Test
  void refusesMisuseWithARemedy() {
    Command command = submit(1).getFirst();
    assertThatThrownBy(() -> queue.submit(command)).hasMessageContaining("make a new one");
    assertThatThrownBy(() -> queue.wait(new Command())).hasMessageContaining("not submitted");
    assertThatThrownBy(() -> new LaunchWindow.Fixed(4, 8)).hasMessageContaining("such as 8/4");
    assertThatThrownBy(() -> Level.of(4)).hasMessageContaining("choose 1 (block)");
    device.completeAll();
    queue.close();
    assertThatThrownBy(() -> submit(1)).hasMessageContaining("closed");
    assertThat(device.calls).containsExactly("close");
  }
}
