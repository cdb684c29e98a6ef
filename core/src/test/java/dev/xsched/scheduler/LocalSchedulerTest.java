package dev.xsched.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Policies;
import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads and a device whose commands complete when the test lets them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LocalSchedulerTest {
  private final LatchDevice device = new LatchDevice();
  private final LocalScheduler scheduler = LocalScheduler.start("HPF");
  private final XQueue low = scheduler.newQueue(device, "low");
  private final XQueue high = scheduler.newQueue(device, "high");
  private final List<LatchCommand> background = new ArrayList<>();

  @BeforeEach
  void keepLowBusy() {
    low.setWindow(new LaunchWindow.Fixed(8, 4));
    for (int i = 0; i < 20; i++) {
      LatchCommand command = new LatchCommand();
      background.add(command);
      low.submit(command);
    }
  }

  @AfterEach
  void close() {
    background.forEach(LatchCommand::complete);
    scheduler.close();
    device.close();
  }

  @Test
  void holdsTheLowQueueWhileTheHighOneHasWork() throws Exception {
    scheduler.hint(high, Hint.PRIORITY, 10);
    LatchCommand urgent = new LatchCommand();
    high.submit(urgent);
    completeWhatIsInFlight();
    assertThat(low.stats().launched()).as("launched before the high one came").isEqualTo(8);
    urgent.complete();
    high.wait(urgent);
    await(() -> low.stats().launched() > 8);
    background.forEach(LatchCommand::complete);
    low.waitAll();
    assertThat(low.stats().launched()).isEqualTo(20);
  }

  @Test
  void aHintGivenLaterPreempts() throws Exception {
    LatchCommand other = new LatchCommand();
    high.submit(other);
    scheduler.hint(low, Hint.PRIORITY, -1);
    completeWhatIsInFlight();
    assertThat(low.stats().launched()).isEqualTo(8);
    scheduler.hint(low, Hint.PRIORITY, 0);
    await(() -> low.stats().launched() > 8);
    other.complete();
    high.waitAll();
  }

  @Test
  void aQueueThatItsUserSuspendedHoldsNobodyBack() throws Exception {
    scheduler.hint(high, Hint.PRIORITY, 10);
    high.suspend();
    LatchCommand parked = new LatchCommand();
    high.submit(parked);
    completeWhatIsInFlight();
    await(() -> low.stats().launched() > 8);
    high.resume();
    parked.complete();
    high.wait(parked);
  }

  @Test
  void aChangeOfPolicyTakesEffectAtOnce() throws Exception {
    scheduler.hint(high, Hint.PRIORITY, 10);
    LatchCommand urgent = new LatchCommand();
    high.submit(urgent);
    completeWhatIsInFlight();
    scheduler.setPolicy(Policies.named("AWF"));
    await(() -> low.stats().launched() > 8);
    urgent.complete();
    high.waitAll();
  }

  @Test
  void closingAQueueLetsTheOthersRun() {
    scheduler.hint(high, Hint.PRIORITY, 10);
    LatchCommand urgent = new LatchCommand();
    high.submit(urgent);
    completeWhatIsInFlight();
    urgent.complete();
    scheduler.close(high);
    await(() -> low.stats().launched() > 8);
    assertThatThrownBy(() -> high.submit(new LatchCommand())).hasMessageContaining("closed");
    assertThatThrownBy(() -> scheduler.hint(high, Hint.PRIORITY, 1))
        .hasMessageContaining("not of this scheduler");
  }

  @Test
  void refusesHintsOutOfRangeOnTheCallersThread() {
    assertThatThrownBy(() -> scheduler.hint(high, Hint.PRIORITY, 300))
        .hasMessageContaining("-256 to 255");
    assertThatThrownBy(() -> scheduler.hint(Hint.K, 0)).hasMessageContaining("1 to");
  }

  private void completeWhatIsInFlight() {
    background.subList(0, 8).forEach(LatchCommand::complete);
    await(() -> background.get(7).isFinished());
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
    }
  }

  private static final class LatchCommand extends Command {
    private final CountDownLatch done = new CountDownLatch(1);

    void complete() {
      done.countDown();
    }
  }

  private static final class LatchDevice implements Device {
    private final ThreadSyncer syncer = new ThreadSyncer();

    @Override
    public String name() {
      return "latches";
    }

    @Override
    public boolean simulated() {
      return true;
    }

    @Override
    public HwQueue newHwQueue() {
      return new HwQueue() {
        @Override
        public void launch(Command command) {}

        @Override
        public boolean sync(Command command) throws InterruptedException {
          ((LatchCommand) command).done.await();
          return true;
        }
      };
    }

    @Override
    public Syncer syncer() {
      return syncer;
    }

    @Override
    public Command delay(Duration time) {
      return new LatchCommand();
    }

    @Override
    public void close() {
      syncer.close();
    }
  }
}
