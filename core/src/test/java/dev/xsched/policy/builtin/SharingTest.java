package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.FOREVER;
import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Simulation.SECOND;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.utilization;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.builtin.Simulation.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets how much of a device over time: UP, PUP, SPUP, CFS and MLFQ. */
class SharingTest {
  private static final double ONE_PERCENT = 0.01;

  @ParameterizedTest
  @CsvSource({
    "UP, 75, 25",
    "PUP, 75, 25",
    "SPUP, 75, 25",
    "UP, 100, 50",
    "PUP, 100, 50",
    "SPUP, 100, 50",
    "UP, 99, 1",
    "PUP, 99, 1",
    "SPUP, 99, 1"
  })
  void twoBusyOnesShareByUtilization(String policy, int first, int second) {
    assertSharesByUtilization(Policies.named(policy), 0, first, second);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP"})
  void manyBusyOnesShareByUtilization(String policy) {
    assertSharesByUtilization(Policies.named(policy), 0, 60, 30, 10);
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      int[] utilizations = random.ints(2 + random.nextInt(6), 1, 101).toArray();
      assertSharesByUtilization(Policies.named(policy), seed, utilizations);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP"})
  void latePreemptionIsChargedSoThatSharesHold(String policy) {
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      // Up to four times the slice, as with a long kernel and Level-1 preemption.
      Simulation simulation =
          new Simulation(Policies.named(policy), () -> random.nextLong(20 * MILLI));
      Task large = simulation.busyTask(utilization(75));
      Task small = simulation.busyTask(utilization(25));
      simulation.run(10 * SECOND);
      assertThat(share(large, 10 * SECOND)).as("seed %d", seed).isCloseTo(0.75, within(0.02));
      assertThat(share(small, 10 * SECOND)).as("seed %d", seed).isCloseTo(0.25, within(0.02));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP"})
  void whoeverOverrunsEveryTurnByManyRoundsPaysItBack(String policy) {
    List<Task> slow = new ArrayList<>();
    Simulation simulation =
        new Simulation(Policies.named(policy), () -> slow.getFirst().isServed() ? 100 * MILLI : 0);
    slow.add(simulation.busyTask(utilization(50)));
    Task swift = simulation.busyTask(utilization(50));
    simulation.run(20 * SECOND);
    assertThat(share(slow.getFirst(), 20 * SECOND)).isCloseTo(0.5, within(0.01));
    assertThat(share(swift, 20 * SECOND)).isCloseTo(0.5, within(0.01));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUP", "SPUP"})
  void moreQueuesDoNotGetAProcessMore(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    ProcessView many = simulation.process();
    List<Task> ofMany = new ArrayList<>();
    for (int percent : new int[] {30, 10, 0, 20}) { // the largest counts
      Task task = simulation.task(0, many, utilization(percent));
      simulation.submit(task, FOREVER);
      ofMany.add(task);
    }
    Task single = simulation.busyTask(utilization(70));
    simulation.run(10 * SECOND);
    assertThat(share(single, 10 * SECOND)).isCloseTo(0.7, within(ONE_PERCENT));
    for (Task task : ofMany) { // they run together
      assertThat(share(task, 10 * SECOND)).isCloseTo(0.3 / 4, within(ONE_PERCENT));
    }
  }

  @Test
  void upGivesEveryQueueItsOwnShare() {
    Simulation simulation = new Simulation(new UtilizationPartition());
    ProcessView process = simulation.process();
    Task first = simulation.task(0, process, utilization(20));
    Task second = simulation.task(0, process, utilization(20));
    simulation.submit(first, FOREVER);
    simulation.submit(second, FOREVER);
    Task other = simulation.busyTask(utilization(60));
    simulation.run(10 * SECOND);
    assertThat(share(first, 10 * SECOND)).isCloseTo(0.2, within(ONE_PERCENT));
    assertThat(share(second, 10 * SECOND)).isCloseTo(0.2, within(ONE_PERCENT));
    assertThat(share(other, 10 * SECOND)).isCloseTo(0.6, within(ONE_PERCENT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP"})
  void utilizationZeroRunsOnlyWhenNobodyElseIsReady(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    Task background = simulation.busyTask(utilization(0));
    Task alsoBackground = simulation.busyTask(utilization(0));
    Task periodic = simulation.task(0, simulation.process(), utilization(1));
    simulation.every(20 * MILLI, () -> simulation.submit(periodic, 15 * MILLI));
    simulation.run(10 * SECOND);
    assertThat(periodic.longestGapNanos).isZero();
    assertThat(share(periodic, 10 * SECOND)).isCloseTo(0.75, within(ONE_PERCENT));
    assertThat(share(background, 10 * SECOND)).isCloseTo(0.125, within(ONE_PERCENT));
    assertThat(share(alsoBackground, 10 * SECOND)).isCloseTo(0.125, within(ONE_PERCENT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP"})
  void utilizationCanChangeToZeroAndBackWithoutHarm(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    Task changing = simulation.busyTask(utilization(0));
    simulation.run(60 * SECOND);
    Task steady = simulation.busyTask(utilization(50));
    simulation.run(SECOND);
    changeUtilization(simulation, changing, 50);
    double before = changing.servedNanos;
    simulation.run(SECOND);
    assertThat(changing.servedNanos - before).isCloseTo(0.5 * SECOND, within(5.1 * MILLI));
    while (!changing.isServed()) {
      simulation.run(MILLI);
    }
    changeUtilization(simulation, changing, 0);
    double steadyBefore = steady.servedNanos;
    simulation.run(SECOND);
    assertThat(steady.servedNanos - steadyBefore).isEqualTo(1.0 * SECOND);
  }

  private static void changeUtilization(Simulation simulation, Task task, int percent) {
    simulation.scheduler().hint(task.id, Hint.UTILIZATION, percent, Hints.Source.APPLICATION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP", "CFS"})
  void sharesHoldAfterManyMonthsOfUse(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    Task old = simulation.busyTask(Hints.DEFAULT);
    simulation.run(200 * 86_400 * SECOND);
    double before = old.servedNanos;
    Task newcomer = simulation.busyTask(Hints.DEFAULT);
    simulation.run(SECOND);
    assertThat(old.servedNanos - before).isCloseTo(0.5 * SECOND, within(5.1 * MILLI));
    assertThat(newcomer.servedNanos).isCloseTo(0.5 * SECOND, within(5.1 * MILLI));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "CFS"})
  void whoeverSleptDoesNotMonopolise(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    Task steady = simulation.busyTask(Hints.DEFAULT);
    Task sleeper = simulation.busyTask(Hints.DEFAULT);
    simulation.run(SECOND);
    simulation.cancel(sleeper);
    simulation.run(5 * SECOND);
    double before = sleeper.servedNanos;
    double steadyBefore = steady.servedNanos;
    simulation.submit(sleeper, FOREVER);
    simulation.run(100 * MILLI);
    assertThat(sleeper.servedNanos - before).isCloseTo(50.0 * MILLI, within(5.1 * MILLI));
    assertThat(steady.servedNanos - steadyBefore).isCloseTo(50.0 * MILLI, within(5.1 * MILLI));
  }

  @Test
  void pupKeepsTheUnusedSliceForOneRoundHalfOfItForTwoAndNextToNothingForTen() {
    double slice = 5.0 * MILLI;
    assertThat(firstTurnAfterPause("PUP", 10 * MILLI)).isCloseTo(2 * slice, within(0.1 * MILLI));
    assertThat(firstTurnAfterPause("PUP", 20 * MILLI)).isCloseTo(1.5 * slice, within(0.1 * MILLI));
    assertThat(firstTurnAfterPause("PUP", 100 * MILLI)).isCloseTo(slice, within(0.1 * MILLI));
    assertThat(firstTurnAfterPause("UP", 10 * MILLI)).isCloseTo(slice, within(0.1 * MILLI));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP"})
  void aTurnThatBeganAloneEndsAfterTheSliceThatItHasInCompany(String policy) {
    for (int seed = 0; seed < 50; seed++) {
      Simulation simulation = new Simulation(Policies.named(policy));
      simulation.busyTask(utilization(25));
      Task comer = simulation.task(0, simulation.process(), utilization(75));
      simulation.run(new Random(seed).nextInt((int) SECOND));
      simulation.submit(comer, FOREVER);
      simulation.run(5 * MILLI / 2 + 1_000);
      assertThat(comer.servedNanos).as("seed %d", seed).isPositive();
    }
  }

  /** Returns how long a process that paused runs before the busy one is served again. */
  private static double firstTurnAfterPause(String policy, long pauseNanos) {
    Simulation simulation = new Simulation(Policies.named(policy));
    Task busy = simulation.busyTask(Hints.DEFAULT);
    Task pausing = simulation.busyTask(Hints.DEFAULT);
    simulation.run(SECOND);
    simulation.cancel(pausing);
    simulation.run(pauseNanos);
    double busyBefore = busy.servedNanos;
    double pausingBefore = pausing.servedNanos;
    simulation.submit(pausing, FOREVER);
    while (busy.servedNanos == busyBefore) {
      simulation.run(MILLI / 100);
    }
    return pausing.servedNanos - pausingBefore;
  }

  @Test
  void spupIsStrictAtEveryMoment() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
      int[] percent = {1 + random.nextInt(50), 1 + random.nextInt(50)};
      Task[] tasks = new Task[2];
      for (int i = 0; i < 2; i++) {
        tasks[i] = simulation.task(0, simulation.process(), utilization(percent[i]));
        simulation.onAndOff(tasks[i], random);
      }
      long start = simulation.now();
      for (int step = 0; step < 400; step++) {
        simulation.run(5 * MILLI);
        for (int i = 0; i < 2; i++) {
          double share = percent[i] / 100.0;
          double allowed = share * (simulation.now() - start) + 2 * share * 10 * MILLI;
          assertThat(tasks[i].servedNanos).as("seed %d", seed).isLessThanOrEqualTo(allowed);
        }
      }
    }
  }

  @Test
  void spupIdlesRatherThanExceedAShare() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    Task alone = simulation.busyTask(utilization(30));
    simulation.run(10 * SECOND);
    assertThat(share(alone, 10 * SECOND)).isCloseTo(0.3, within(ONE_PERCENT));
  }

  @Test
  void spupGivesAllOfTheTimeToOneWhoMayHaveIt() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    Task alone = simulation.busyTask(Hints.DEFAULT);
    simulation.run(10 * SECOND);
    assertThat(alone.servedNanos).isEqualTo(10.0 * SECOND);
  }

  @Test
  void spupNeverRunsUtilizationZero() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    Task none = simulation.busyTask(utilization(0));
    Task some = simulation.busyTask(utilization(40));
    simulation.run(10 * SECOND);
    assertThat(none.servedNanos).isZero();
    assertThat(share(some, 10 * SECOND)).isCloseTo(0.4, within(ONE_PERCENT));
  }

  @Test
  void spupKeepsTheGateClosedUntilAnIdleProcessMayStart() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    Task task = simulation.busyTask(utilization(10));
    simulation.run(MILLI); // its slice is half of that
    simulation.cancel(task);
    simulation.run(0);
    assertThat(task.isOpen()).isFalse();
    simulation.run(5 * MILLI);
    simulation.run(0);
    assertThat(task.isOpen()).isTrue();
  }

  @Test
  void spupServesFirstWhoeverWaitedTheLongest() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    ProcessView first = simulation.process();
    ProcessView second = simulation.process();
    Task rested = simulation.task(0, second, utilization(40));
    simulation.run(SECOND);
    Task newcomer = simulation.task(0, first, utilization(40));
    simulation.submit(newcomer, FOREVER);
    simulation.submit(rested, FOREVER);
    simulation.run(MILLI);
    assertThat(rested.servedNanos).isEqualTo(MILLI);
    assertThat(newcomer.servedNanos).isZero();
  }

  @Test
  void spupGivesNothingForHavingBeenIdle() {
    Simulation simulation = new Simulation(new StrictProcessUtilizationPartition());
    Task task = simulation.task(0, simulation.process(), utilization(25));
    simulation.run(5 * SECOND);
    simulation.submit(task, FOREVER);
    simulation.run(SECOND);
    assertThat(task.servedNanos).isCloseTo(250.0 * MILLI, within(5.0 * MILLI));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 4", "-3, 3", "10, 0", "255, 250", "-255, -252"})
  void cfsSharesByWeight(int first, int second) {
    Simulation simulation = new Simulation(new CompletelyFair());
    Task one = simulation.busyTask(priority(first));
    Task two = simulation.busyTask(priority(second));
    simulation.run(10 * SECOND);
    double expected = Math.pow(1.2, first) / (Math.pow(1.2, first) + Math.pow(1.2, second));
    assertThat(share(one, 10 * SECOND)).isCloseTo(expected, within(ONE_PERCENT));
    assertThat(share(two, 10 * SECOND)).isCloseTo(1 - expected, within(ONE_PERCENT));
  }

  @Test
  void cfsStartsANewcomerAtTheMinimumOfItsDevice() {
    Simulation simulation = new Simulation(new CompletelyFair());
    Task old = simulation.busyTask(Hints.DEFAULT);
    Task alsoOld = simulation.busyTask(priority(3));
    simulation.run(60 * SECOND);
    double before = old.servedNanos + alsoOld.servedNanos;
    Task newcomer = simulation.busyTask(Hints.DEFAULT);
    simulation.run(SECOND);
    double weights = 2 + Math.pow(1.2, 3);
    assertThat(share(newcomer, SECOND)).isCloseTo(1 / weights, within(2 * ONE_PERCENT));
    assertThat(old.servedNanos + alsoOld.servedNanos - before)
        .isCloseTo((weights - 1) / weights * SECOND, within(20.0 * MILLI));
  }

  @Test
  void cfsRemembersTheMinimumWhileTheDeviceIsIdle() {
    Simulation simulation = new Simulation(new CompletelyFair());
    Task old = simulation.busyTask(Hints.DEFAULT);
    simulation.run(60 * SECOND);
    simulation.cancel(old);
    simulation.run(MILLI);
    Task newcomer = simulation.busyTask(Hints.DEFAULT);
    simulation.run(MILLI);
    double before = old.servedNanos;
    simulation.submit(old, FOREVER);
    simulation.run(SECOND);
    assertThat(old.servedNanos - before).isCloseTo(SECOND / 2.0, within(10.0 * MILLI));
    assertThat(share(newcomer, SECOND)).isCloseTo(0.5, within(ONE_PERCENT));
  }

  @ParameterizedTest
  @CsvSource({"-200, 86400", "-200, 1", "-80, 10", "-20, 86400"})
  void cfsKeepsCountingAfterALightQueueHadTheDevice(int lightPriority, long seconds) {
    Simulation simulation = new Simulation(new CompletelyFair());
    Task light = simulation.busyTask(priority(lightPriority));
    simulation.run(seconds * SECOND);
    simulation.run(MILLI); // into a new turn
    Task heavy = simulation.busyTask(priority(200));
    Task twiceAsHeavy = simulation.busyTask(priority(204));
    double before = light.servedNanos;
    simulation.run(10 * SECOND);
    double heavyPart = 1 / (1 + Math.pow(1.2, 4));
    assertThat(light.servedNanos - before).isLessThan(10.0 * MILLI);
    assertThat(share(heavy, 10 * SECOND)).isCloseTo(heavyPart, within(ONE_PERCENT));
    assertThat(share(twiceAsHeavy, 10 * SECOND)).isCloseTo(1 - heavyPart, within(ONE_PERCENT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UP", "PUP", "SPUP", "CFS", "MLFQ"})
  void nobodyStarves(String policy) {
    for (int seed = 0; seed < 10; seed++) {
      Random random = new Random(seed);
      Simulation simulation = new Simulation(Policies.named(policy));
      List<Task> busy = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        Hints hints =
            priority(random.nextInt(-8, 9))
                .with(Hint.UTILIZATION, 1 + random.nextInt(100), Hints.Source.APPLICATION);
        busy.add(simulation.busyTask(hints));
        simulation.onAndOff(simulation.task(0, simulation.process(), hints), random);
      }
      simulation.run(10 * SECOND);
      assertThat(busy)
          .as("seed %d", seed)
          .allMatch(task -> task.servedNanos > 0 && task.longestGapNanos < 2 * SECOND);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HPF", "HHPF", "CHPF", "AWF", "LAX"})
  void equalsShareEqually(String policy) {
    Simulation simulation = new Simulation(Policies.named(policy));
    List<Task> tasks = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      tasks.add(simulation.busyTask(hints(Hint.PRIORITY, 4)));
    }
    simulation.run(SECOND);
    assertThat(tasks).allMatch(t -> t.servedNanos > 0.19 * SECOND && t.longestGapNanos == 0);
  }

  private static void assertSharesByUtilization(Policy policy, int seed, int... utilizations) {
    Simulation simulation = new Simulation(policy);
    List<Task> tasks = new ArrayList<>();
    for (int utilization : utilizations) {
      tasks.add(simulation.busyTask(utilization(utilization)));
    }
    simulation.run(10 * SECOND);
    int total = IntStream.of(utilizations).sum();
    boolean strict = policy instanceof StrictProcessUtilizationPartition;
    double whole = strict ? Math.max(100, total) : total;
    for (int i = 0; i < utilizations.length; i++) {
      assertThat(share(tasks.get(i), 10 * SECOND))
          .as("seed %d: %s of %s", seed, utilizations[i], Arrays.toString(utilizations))
          .isCloseTo(utilizations[i] / whole, within(ONE_PERCENT));
    }
  }

  private static double share(Task task, long ofNanos) {
    return task.servedNanos / ofNanos;
  }
}
