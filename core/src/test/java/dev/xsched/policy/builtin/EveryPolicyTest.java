package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Simulation.SECOND;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import dev.xsched.policy.builtin.Simulation.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every policy that comes with XSched. */
class EveryPolicyTest {
  /** SPUP idles on purpose; HHPF has one device wait for another; SLO finds out what alone is. */
  private static final Set<String> NOT_WORK_CONSERVING = Set.of("SPUP", "HHPF", "SLO");

  /** In these, one claimant at a time has a device. */
  private static final Set<String> TIME_SHARING = Set.of("UP", "PUP", "SPUP", "CFS", "MLFQ");

  /** Those that promise to run the highest rank. */
  private static final Set<String> RANKED = Set.of("HPF", "HHPF", "CHPF", "LAX", "AWF", "SLO");

  static List<Policy> policies() {
    return Policies.available();
  }

  @Test
  void allAreThereInTheOrderOfTheirNumbers() {
    assertThat(policies())
        .extracting(Policy::name)
        .containsExactly(
            "HPF", "HHPF", "CHPF", "UP", "PUP", "SPUP", "KEDF", "LAX", "AWF", "CFS", "MLFQ", "SLO");
    assertThat(policies()).allMatch(policy -> !policy.summary().isBlank());
  }

  @ParameterizedTest
  @MethodSource("policies")
  void noQueuesNoDecision(Policy policy) {
    assertThat(snapshot().decideWith(policy).wakeNanos()).isEqualTo(Decision.NEVER);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aQueueAloneRunsAndAsksForNothing(Policy policy) {
    assertThat(snapshot().ready(0, Hints.DEFAULT).runWith(policy)).containsExactly(1);
    assertThat(snapshot().ready(0, Hints.DEFAULT).decideWith(policy).wakeNanos())
        .isEqualTo(Decision.NEVER);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aQueueOfPriorityMinus256NeverRuns(Policy policy) {
    Hints never = priority(Hint.NO_EXECUTE);
    assertThat(snapshot().ready(0, never).idle(0, never).runWith(policy)).isEmpty();
    assertThat(snapshot().ready(0, never).ready(0, priority(-255)).runWith(policy))
        .containsExactly(2);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void idleQueuesAreOpenWhereNobodyIsReady(Policy policy) {
    assertThat(
            snapshot()
                .idle(0, Hints.DEFAULT)
                .idle(0, Hints.DEFAULT)
                .idle(1, Hints.DEFAULT)
                .runWith(policy))
        .containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void idleQueuesAreClosedWhileSomebodyHoldsTheSlice(Policy policy) {
    List<Integer> running =
        snapshot()
            .idle(0, Hints.DEFAULT)
            .ready(0, Hints.DEFAULT)
            .idle(0, Hints.DEFAULT)
            .idle(1, Hints.DEFAULT)
            .runWith(policy);
    boolean oneAtATime = TIME_SHARING.contains(policy.name()) || policy.name().equals("KEDF");
    assertThat(running).isEqualTo(oneAtATime ? List.of(2, 4) : List.of(1, 2, 3, 4));
  }

  @ParameterizedTest
  @MethodSource("policies")
  void whatAnotherPolicyRememberedIsIgnored(Policy policy) {
    Snapshot foreign =
        snapshot()
            .memory("foreign")
            .queue(0, Snapshots.process(1, 0), true, 0, Hints.DEFAULT, "foreign")
            .queue(0, Snapshots.process(2, 0), true, 0, Hints.DEFAULT, 42)
            .build();
    Snapshot fresh =
        snapshot()
            .queue(0, Snapshots.process(1, 0), true, 0, Hints.DEFAULT, null)
            .queue(0, Snapshots.process(2, 0), true, 0, Hints.DEFAULT, null)
            .build();
    assertSame(policy.decide(foreign), policy.decide(fresh), 2);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void aDeviceThatAppearsLaterIsServedToo(Policy policy) {
    Simulation simulation = new Simulation(policy);
    simulation.busyTask(Hints.DEFAULT);
    simulation.run(100 * MILLI);
    Task later = simulation.task(3, simulation.process(), Hints.DEFAULT);
    simulation.submit(later, Simulation.FOREVER);
    simulation.run(100 * MILLI);
    assertThat(later.servedNanos).isEqualTo(100.0 * MILLI);
  }

  @ParameterizedTest
  @MethodSource("policies")
  void randomLifeBreaksNoRule(Policy policy) {
    for (int seed = 0; seed < 40; seed++) {
      try {
        randomLife(new CheckedPolicy(policy), new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("%s, seed %d: %s".formatted(policy.name(), seed, e), e);
      }
    }
  }

  private static void randomLife(CheckedPolicy policy, Random random) {
    Simulation simulation = new Simulation(policy, () -> random.nextLong(1 + MILLI));
    List<ProcessView> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      processes.add(simulation.scheduler().addProcess(i + 1, random.nextInt(-20, 20)));
    }
    List<Task> tasks = new ArrayList<>();
    for (int step = 0; step < 60; step++) {
      int choice = random.nextInt(10);
      if (choice < 4 && tasks.size() < 12) {
        ProcessView process = processes.get(random.nextInt(4));
        Task task = simulation.task(random.nextInt(3), process, randomHints(random));
        tasks.add(task);
        simulation.onAndOff(task, random);
      } else if (choice < 7 && !tasks.isEmpty()) {
        Hint hint = Hint.values()[random.nextInt(Hint.values().length)];
        if (hint.scope() == Hint.Scope.SYSTEM) {
          simulation.system(hint, randomValue(hint, random));
        } else {
          long id = tasks.get(random.nextInt(tasks.size())).id;
          long value = randomValue(hint, random);
          simulation.scheduler().hint(id, hint, value, Hints.Source.REST);
        }
      } else if (choice == 7 && !tasks.isEmpty()) {
        simulation.remove(tasks.remove(random.nextInt(tasks.size())));
      }
      simulation.run(random.nextLong(30 * MILLI));
    }
    assertThat(policy.decisions).isGreaterThan(60);
  }

  private static Hints randomHints(Random random) {
    Hints hints = Hints.DEFAULT;
    for (Hint hint : Hint.values()) {
      if (random.nextBoolean()) {
        hints = hints.with(hint, randomValue(hint, random), Hints.Source.APPLICATION);
      }
    }
    return hints;
  }

  private static long randomValue(Hint hint, Random random) {
    return switch (hint) {
      case PRIORITY -> random.nextInt(5) == 0 ? Hint.NO_EXECUTE : random.nextLong(-255, 256);
      case UTILIZATION -> random.nextInt(5) == 0 ? 0 : random.nextLong(101);
      case DEADLINE, LAXITY -> random.nextInt(9) == 0 ? hint.max() : random.nextLong(1, 50_000);
      case LAX_PRIORITY, CRITICAL_PRIORITY -> random.nextLong(-3, 4);
      case TIMESLICE -> random.nextLong(100, 20_000);
      case K -> random.nextInt(5) == 0 ? hint.max() : random.nextLong(1, 4);
      case WINDOW_ACTIVE -> random.nextLong(5);
      case SLO_P99 -> random.nextInt(3) == 0 ? random.nextLong(1, 50_000) : hint.max();
      case SLO_RATIO -> random.nextInt(3) == 0 ? random.nextLong(1_000, 3_000) : hint.max();
    };
  }

  private static void assertSame(Decision one, Decision two, int queues) {
    assertThat(memories(one)).isEqualTo(memories(two));
    assertThat(one.wakeNanos()).isEqualTo(two.wakeNanos());
    for (int i = 0; i < queues; i++) {
      assertThat(one.runs(i)).isEqualTo(two.runs(i));
    }
  }

  private static Map<Integer, Object> memories(Decision decision) {
    Map<Integer, Object> memories = new TreeMap<>();
    decision.forEachQueueMemory((memory, i) -> memories.put(i, memory));
    return memories;
  }

  /** Looks over the shoulder of a policy at every decision. */
  private static final class CheckedPolicy implements Policy {
    private final Policy policy;
    long decisions;

    CheckedPolicy(Policy policy) {
      this.policy = policy;
    }

    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public String summary() {
      return policy.summary();
    }

    @Override
    public Decision decide(Snapshot snapshot) {
      decisions++;
      int queues = snapshot.queues().size();
      Decision decision = decideOrFail(snapshot);
      assertSame(policy.decide(snapshot), decision, queues); // it keeps nothing to itself
      assertThat(decision.wakeNanos()).isGreaterThan(snapshot.nowNanos());
      boolean[] wanted = new boolean[snapshot.devices()];
      boolean[] used = new boolean[snapshot.devices()];
      for (int i = 0; i < queues; i++) {
        QueueView queue = snapshot.queues().get(i);
        wanted[queue.device()] |= queue.wantsToRun();
        used[queue.device()] |= queue.wantsToRun() && decision.runs(i);
        assertThat(decision.runs(i) && !queue.hints().executes()).isFalse();
      }
      if (!NOT_WORK_CONSERVING.contains(name())) {
        assertThat(used).isEqualTo(wanted);
      }
      assertRanksAreKept(snapshot, decision);
      return decision;
    }

    /** Programs act on ranks before the policy is asked, so it must decide as the ranks say. */
    private void assertRanksAreKept(Snapshot snapshot, Decision decision) {
      Decision.Ranking ranking = decision.ranking();
      assertThat(ranking != null).isEqualTo(RANKED.contains(name()));
      if (ranking == null) {
        return;
      }
      for (int i = 0; i < snapshot.queues().size(); i++) {
        QueueView queue = snapshot.queues().get(i);
        boolean highest = queue.hints().executes();
        for (int j = 0; j < snapshot.queues().size(); j++) {
          QueueView other = snapshot.queues().get(j);
          boolean compete = ranking.acrossDevices() || other.device() == queue.device();
          highest &= !(compete && other.wantsToRun() && ranking.rank(j) > ranking.rank(i));
        }
        // A gate may be closed besides, where the policy is free to leave a device idle.
        boolean closed = NOT_WORK_CONSERVING.contains(name()) && !decision.runs(i);
        assertThat(decision.runs(i) || closed).isEqualTo(highest || closed);
      }
    }

    /** The scheduler survives a policy that throws; a test of it should not. */
    private Decision decideOrFail(Snapshot snapshot) {
      try {
        return policy.decide(snapshot);
      } catch (RuntimeException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("policies")
  void theOrderOfQueuesInTheSnapshotDoesNotMatter(Policy policy) {
    // Removing a queue moves another one in the snapshot; equal tasks must not notice.
    Simulation simulation = new Simulation(policy);
    Task gone = simulation.task(0, simulation.process(), Hints.DEFAULT);
    simulation.busyTask(Hints.DEFAULT);
    Task last = simulation.busyTask(Hints.DEFAULT);
    simulation.run(MILLI);
    double before = last.servedNanos;
    simulation.remove(gone);
    simulation.run(10 * SECOND);
    double expected = policy.name().equals("KEDF") ? 0 : 5.0 * SECOND;
    assertThat(last.servedNanos - before).isBetween(expected - 20 * MILLI, expected + 20 * MILLI);
  }
}
