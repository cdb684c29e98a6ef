package dev.xsched.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The scheduler's own classes on virtual time. */
class SimulationTest {
  private static final Duration ONE_WAY = Duration.ofNanos(20_000);

  private final List<String> log = new ArrayList<>();

  @ParameterizedTest
  @EnumSource(Level.class)
  void theHigherPriorityRunsFirstAndEveryCommandCompletesOnceInOrder(Level level) {
    Simulation simulation = newSimulation(1);
    XQueue low = newQueue(simulation, "low", 0);
    XQueue high = newQueue(simulation, "high", 1);
    low.setLevel(level);
    submit(simulation, low, 50);
    simulation.loop().at(5_000_000, () -> submit(simulation, high, 5));
    simulation.run(Duration.ofSeconds(1));

    assertThat(log.stream().filter(l -> l.startsWith("low"))).hasSize(50).isSorted();
    assertThat(log.stream().filter(l -> l.startsWith("high"))).hasSize(5).isSorted();
    int between = log.indexOf("high04") - log.indexOf("high00");
    assertThat(between).describedAs("nothing of low completes in between").isEqualTo(4);
    assertThat(log.getLast()).isEqualTo("low49");
    assertThat(low.query()).isEqualTo(XQueue.State.IDLE);
  }

  @Test
  void theSameSeedGivesTheSameResultToTheNanosecond() {
    assertThat(timesOf(3)).isEqualTo(timesOf(3)).isNotEqualTo(timesOf(4));
  }

  /** Where a command takes two time slices, and several are in flight when the queue is stopped. */
  @ParameterizedTest
  @EnumSource(Level.class)
  void spupGivesNoMoreThanTheShareHoweverLongCommandsAre(Level level) {
    Simulation simulation =
        new Simulation(DeviceModels.load("gv100"), Policies.named("SPUP"), ONE_WAY, 1);
    Client client = simulation.addClient(withoutPause("a fifth", 10_000_000, 20, level));
    simulation.run(Duration.ofSeconds(10));
    assertThat(client.busyNanos() / 10e9).isBetween(0.18, 0.21);
  }

  /** The long ones are still at work when the queue is stopped, for up to two time slices. */
  @ParameterizedTest
  @CsvSource({
    "UP, BLOCK", "UP, DEACTIVATE", "UP, INTERRUPT",
    "PUP, BLOCK", "PUP, DEACTIVATE", "PUP, INTERRUPT",
    "CFS, BLOCK", "CFS, DEACTIVATE", "CFS, INTERRUPT"
  })
  void sharesHoldHoweverUnequalCommandsAre(String policy, Level level) {
    Simulation simulation =
        new Simulation(DeviceModels.load("gv100"), Policies.named(policy), ONE_WAY, 1);
    Client rough = simulation.addClient(withoutPause("long", 5_000_000, 50, level));
    Client fine = simulation.addClient(withoutPause("short", 50_000, 50, level));
    simulation.run(Duration.ofSeconds(10));
    double total = rough.busyNanos() + fine.busyNanos();
    assertThat(rough.busyNanos() / total).isBetween(0.47, 0.53);
  }

  private static ClientSpec withoutPause(String name, long nanos, int percent, Level level) {
    return new ClientSpec(
        name,
        new TaskModel(name, 0, 0, List.of(new TaskModel.Run(100, nanos))),
        new Arrivals.Continuous(),
        Hints.DEFAULT.with(Hint.UTILIZATION, percent, Hints.Source.APPLICATION),
        level,
        LaunchWindow.DEFAULT);
  }

  private static List<Long> timesOf(long seed) {
    Simulation simulation = newSimulation(seed);
    Client low = simulation.addClient(client("low", new Arrivals.Continuous()));
    Client high =
        simulation.addClient(client("high", new Arrivals.Periodic(Duration.ofMillis(30), 0.5)));
    simulation.run(Duration.ofSeconds(1));
    return LongStream.concat(
            LongStream.of(low.latencies().toSortedArray()),
            LongStream.of(high.latencies().toSortedArray()))
        .boxed()
        .toList();
  }

  private static ClientSpec client(String name, Arrivals arrivals) {
    return new ClientSpec(
        name,
        DeviceModels.load("gv100").task(),
        arrivals,
        Hints.DEFAULT,
        Level.INTERRUPT,
        LaunchWindow.DEFAULT);
  }

  private static Simulation newSimulation(long seed) {
    return new Simulation(DeviceModels.load("gv100"), Policies.named("HPF"), ONE_WAY, seed);
  }

  private static XQueue newQueue(Simulation simulation, String name, int priority) {
    Hints hints = Hints.DEFAULT.with(Hint.PRIORITY, priority, Hints.Source.APPLICATION);
    return simulation.newQueue(name, hints).queue();
  }

  private void submit(Simulation simulation, XQueue queue, int count) {
    for (int i = 0; i < count; i++) {
      String line = "%s%02d".formatted(queue.name(), i);
      queue.submit(simulation.device().command(1_000_000).onFinish(() -> log.add(line)));
    }
  }
}
