package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ten commands of 100 ns each, on a device without any cost. */
class ClientTest {
  private final Simulation simulation = Simulation.unscheduled(Models.model(Models.FIFO, 1), 1);

  @Test
  void aContinuousClientStartsTheNextTaskWhenTheLastHasEnded() {
    Client client = simulation.addClient(spec(new Arrivals.Continuous()));
    simulation.run(Duration.ofNanos(10_000));
    assertThat(client.latencies().count()).isEqualTo(10);
    assertThat(client.latencies().percentileNanos(0.99)).isEqualTo(1_000);
    assertThat(client.busyNanos()).isEqualTo(10_000);
    assertThat(simulation.contendedNanos()).isZero();
  }

  @Test
  void aPeriodicClientStartsTasksByTheClock() {
    Client client = simulation.addClient(spec(new Arrivals.Periodic(Duration.ofNanos(5_000), 0)));
    simulation.run(Duration.ofNanos(49_999));
    assertThat(client.latencies().count()).isEqualTo(10);
    assertThat(client.busyNanos()).isEqualTo(10_000);
  }

  @Test
  void aPeriodicClientThatCannotKeepUpCountsTheWaiting() {
    Client client = simulation.addClient(spec(new Arrivals.Periodic(Duration.ofNanos(500), 0)));
    simulation.run(Duration.ofNanos(10_000));
    assertThat(client.latencies().count()).isEqualTo(10);
    assertThat(client.latencies().percentileNanos(1)).isEqualTo(10_000 - 9 * 500);
  }

  @Test
  void contentionIsTheTimeInWhichTwoWantTheDevice() {
    simulation.addClient(spec(new Arrivals.Continuous()));
    simulation.addClient(spec(new Arrivals.Periodic(Duration.ofNanos(50_000), 0)));
    simulation.run(Duration.ofNanos(40_000));
    // First come, first served: the second task waits for the first and then runs.
    assertThat(simulation.contendedNanos()).isEqualTo(2_000);
  }

  @Test
  void theWarmUpIsForgotten() {
    Client client = simulation.addClient(spec(new Arrivals.Continuous()));
    simulation.run(Duration.ofNanos(10_000));
    simulation.startMeasuring();
    simulation.run(Duration.ofNanos(5_000));
    assertThat(client.latencies().count()).isEqualTo(5);
    assertThat(client.busyNanos()).isEqualTo(5_000);
    assertThat(simulation.measuredNanos()).isEqualTo(5_000);
  }

  @Test
  void aScheduledClientDoesTheSameThroughAnXQueue() {
    Simulation scheduled =
        new Simulation(Models.model(Models.FIFO, 1), Policies.named("HPF"), Duration.ZERO, 1);
    Client client = scheduled.addClient(spec(new Arrivals.Continuous()));
    scheduled.run(Duration.ofNanos(10_000));
    assertThat(client.latencies().count()).isEqualTo(10);
  }

  /** Else it is not the scheduler alone that differs between two runs of the same scene. */
  @Test
  void requestsComeAtTheSameTimesHoweverLongTheyTakeAndWait() {
    TaskModel task = new TaskModel("task", 0, 0.5, List.of(new TaskModel.Run(10, 100)));
    for (Arrivals arrivals :
        List.of(
            new Arrivals.Periodic(Duration.ofNanos(5_000), 0.5),
            new Arrivals.LogNormal(Duration.ofNanos(5_000), 1.5))) {
      assertThat(firstArrivals(spec(task, arrivals), true))
          .hasSize(30)
          .isEqualTo(firstArrivals(spec(task, arrivals), false));
    }
  }

  private static List<Long> firstArrivals(ClientSpec spec, boolean besideAnother) {
    Simulation simulation = Simulation.unscheduled(Models.model(Models.FIFO, 1), 1);
    Client client = simulation.addClient(spec);
    if (besideAnother) {
      simulation.addClient(spec(new Arrivals.Continuous()));
    }
    List<Long> arrived = new ArrayList<>();
    client.watch((arrivedNanos, _) -> arrived.add(arrivedNanos));
    simulation.run(Duration.ofNanos(500_000));
    return arrived.subList(0, 30);
  }

  private static ClientSpec spec(Arrivals arrivals) {
    return spec(Models.model(Models.FIFO, 1).task(), arrivals);
  }

  private static ClientSpec spec(TaskModel task, Arrivals arrivals) {
    return new ClientSpec(
        "client", task, arrivals, Hints.DEFAULT, Level.BLOCK, new LaunchWindow.Fixed(8, 4));
  }
}
