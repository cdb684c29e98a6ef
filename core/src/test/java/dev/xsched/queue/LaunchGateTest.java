package dev.xsched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a queue does when somebody outside may hold back its launches. */
class LaunchGateTest {
  private final ManualDevice device =
      new ManualDevice(Level.BLOCK, Level.DEACTIVATE, Level.INTERRUPT);
  private final XQueue queue = new XQueue("gated", device, device, () -> 1);
  private boolean open = true;
  private int asked;
  private int stopped;

  private final LaunchGate gate =
      new LaunchGate() {
        @Override
        public boolean open() {
          asked++;
          return open;
        }

        @Override
        public void stopped() {
          stopped++;
        }
      };

  private void submit(int count) {
    queue.setWindow(new LaunchWindow.Fixed(8, 4));
    for (int i = 0; i < count; i++) {
      queue.submit(new Command());
    }
  }

  @Test
  void isAskedBeforeEachLaunchAndNotWithoutOne() {
    queue.setLaunchGate(gate);
    submit(3);
    assertThat(asked).isEqualTo(3);
    queue.recheck();
    assertThat(asked).as("nothing is pending").isEqualTo(3);
  }

  @Test
  void aClosedGateStopsAtTheNextLaunchAndWhatIsInFlightDrains() {
    queue.setLaunchGate(gate);
    submit(20);
    open = false;
    device.completeAll();
    assertThat(device.launched).hasSize(8);
    assertThat(queue.stats().inFlight()).isZero();
    assertThat(queue.query()).isEqualTo(XQueue.State.READY);
    assertThat(stopped).isEqualTo(1);
  }

  @Test
  void goesOnWhenSomebodyAsksAgain() {
    queue.setLaunchGate(gate);
    open = false;
    submit(20);
    queue.recheck();
    assertThat(device.launched).isEmpty();
    open = true;
    queue.recheck();
    device.completeAll();
    assertThat(device.launched).hasSize(20);
    assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
  }

  @Test
  void anOpenGateDoesNotLiftWhatUserOrSchedulerHold() throws Exception {
    queue.setLaunchGate(gate);
    queue.setLevel(Level.BLOCK);
    queue.order(false);
    submit(1);
    queue.recheck();
    queue.order(true);
    queue.suspend();
    submit(1);
    queue.recheck();
    assertThat(device.launched).hasSize(1);
    queue.resume();
    assertThat(device.launched).hasSize(2);
  }

  @Test
  void saysWhenTheHardwareHasLeftAnInterruptedQueue() {
    queue.setLaunchGate(gate);
    submit(8);
    queue.order(false);
    assertThat(stopped).isZero();
    device.leave();
    assertThat(stopped).isEqualTo(1);
    queue.order(true);
    device.completeAll();
  }

  @Test
  void closesWithAClosedGate() {
    queue.setLaunchGate(gate);
    open = false;
    submit(5);
    queue.close();
    assertThat(device.launched).isEmpty();
  }

  @Test
  void aWindowOfTimeCanBeBoundedByNumber() {
    queue.setWindow(new LaunchWindow.Adaptive(Duration.ofSeconds(1), 1));
    for (int i = 0; i < 3; i++) {
      queue.submit(new Command());
    }
    assertThat(device.launched).hasSize(1);
    assertThat(Objects.requireNonNull(device.target()).sequence()).isEqualTo(1);
    device.completeAll();
    assertThat(device.launched).hasSize(3);
  }
}
