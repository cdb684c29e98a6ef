package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import dev.xsched.policy.builtin.Simulation.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KEarliestDeadlineFirstTest {
  /** All divide the hyperperiod, so that a short simulation sees every constellation. */
  private static final long[] PERIODS_MILLIS = {4, 5, 6, 8, 10, 12, 15, 20, 24, 30, 40, 60, 120};

  private static final long HYPERPERIOD_MILLIS = 120;

  private final Policy kedf = new KEarliestDeadlineFirst();

  @Test
  void theEarliestDeadlineRunsWhateverItsReadyTime() {
    assertThat(
            snapshot()
                .now(100 * MILLI)
                .readySince(90 * MILLI, 0, deadline(30_000))
                .readySince(99 * MILLI, 0, deadline(20_000))
                .readySince(10 * MILLI, 0, Hints.DEFAULT)
                .runWith(kedf))
        .containsExactly(2);
  }

  @Test
  void kRunPerDeviceAndThoseWithoutDeadlineComeLastByReadyTime() {
    assertThat(
            snapshot()
                .system(Hint.K, 2)
                .readySince(3, 0, Hints.DEFAULT)
                .readySince(2, 0, Hints.DEFAULT)
                .readySince(9, 0, deadline(Hint.DEADLINE.max() / 2_000))
                .readySince(5, 1, Hints.DEFAULT)
                .readySince(4, 1, Hints.DEFAULT)
                .readySince(3, 1, Hints.DEFAULT)
                .runWith(kedf))
        .containsExactly(2, 3, 5, 6);
  }

  @Test
  void equalDeadlinesGoByReadyTimeAndThenById() {
    assertThat(
            snapshot()
                .system(Hint.K, 3)
                .readySince(3_000, 0, deadline(7))
                .readySince(5_000, 0, deadline(5))
                .readySince(5_000, 0, deadline(5))
                .readySince(4_000, 0, deadline(6))
                .runWith(kedf))
        .containsExactly(1, 2, 4);
  }

  @Test
  void idleQueuesAreOpenWhileAPlaceIsFree() {
    Snapshots one = snapshot().system(Hint.K, 2).ready(0, deadline(5)).idle(0, deadline(1));
    assertThat(one.runWith(kedf)).containsExactly(1, 2);
    assertThat(one.ready(0, deadline(9)).runWith(kedf)).containsExactly(1, 3);
    assertThat(snapshot().idle(0, deadline(5)).idle(0, Hints.DEFAULT).runWith(kedf))
        .containsExactly(1, 2);
  }

  @Test
  void aForbiddenQueueTakesNoPlace() {
    Hints never = deadline(1).with(Hint.PRIORITY, Hint.NO_EXECUTE, Hints.Source.REST);
    assertThat(snapshot().ready(0, never).ready(0, deadline(5)).idle(0, never).runWith(kedf))
        .containsExactly(2);
  }

  @Test
  void picksTheSameAsSortingEverything() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      int n = 1 + random.nextInt(60);
      int k = 1 + random.nextInt(n + 3);
      Snapshots snapshot = snapshot().system(Hint.K, k);
      List<long[]> keys = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        long since = random.nextLong(20) * 1_000;
        long micros = 1 + random.nextLong(20);
        boolean none = random.nextInt(4) == 0;
        snapshot.readySince(since, 0, none ? Hints.DEFAULT : deadline(micros));
        keys.add(new long[] {none ? Long.MAX_VALUE : since + micros * 1_000, since, i + 1});
      }
      keys.sort(
          Comparator.<long[]>comparingLong(key -> key[0])
              .thenComparingLong(key -> key[1])
              .thenComparingLong(key -> key[2]));
      assertThat(snapshot.runWith(kedf))
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(
              keys.stream().limit(k).map(key -> (int) key[2]).toList());
    }
  }

  /** Liu and Layland: on one processor, with free preemption, it can be done iff load <= 1. */
  @Test
  void missesNoDeadlineOfAnyFeasiblePeriodicTaskSet() {
    for (int seed = 0; seed < 2_000; seed++) {
      assertThat(misses(kedf, seed)).as("seed %d", seed).isZero();
    }
  }

  @Test
  void thoseTaskSetsAreHardEnoughForOtherPoliciesToFail() {
    for (Policy other : List.of(new HighestPriorityFirst(), new LatestDeadlineFirst())) {
      long failed = IntStream.range(0, 100).filter(seed -> misses(other, seed) > 0).count();
      assertThat(failed).as(other.name()).isGreaterThan(50);
    }
  }

  /** Returns how many jobs of a random task set of full or nearly full load come too late. */
  private static long misses(Policy policy, int seed) {
    Random random = new Random(seed);
    Simulation simulation = new Simulation(policy);
    long[] misses = {0};
    long workLeft = HYPERPERIOD_MILLIS * MILLI; // in one hyperperiod
    int count = 2 + random.nextInt(7);
    for (int i = 0; i < count && workLeft > 0; i++) {
      long period = PERIODS_MILLIS[random.nextInt(PERIODS_MILLIS.length)];
      long jobs = HYPERPERIOD_MILLIS / period;
      boolean last = i == count - 1;
      long most = Math.min(workLeft / jobs, period * MILLI);
      long work = last ? most : 1 + random.nextLong(Math.max(1, most * 2 / 3));
      workLeft -= work * jobs;
      if (work > 0) {
        Task task = simulation.task(0, simulation.process(), deadline(period * 1_000));
        long offset = random.nextBoolean() ? 0 : random.nextLong(period * MILLI);
        simulation.after(offset, () -> release(simulation, task, period * MILLI, work, misses));
      }
    }
    simulation.run(2 * HYPERPERIOD_MILLIS * MILLI);
    return misses[0];
  }

  private static void release(
      Simulation simulation, Task task, long period, long work, long[] misses) {
    if (task.ready()) {
      misses[0]++; // the last job is not done; the deadline is the next release
    } else {
      simulation.submit(task, work);
    }
    simulation.after(period, () -> release(simulation, task, period, work, misses));
  }

  /** The wrong way round, to see that it matters. */
  private static final class LatestDeadlineFirst implements Policy {
    @Override
    public String name() {
      return "latest deadline first";
    }

    @Override
    public String summary() {
      return name();
    }

    @Override
    public Decision decide(Snapshot snapshot) {
      Decision.Builder decision = Decision.builder();
      LongStream deadlines =
          snapshot.queues().stream()
              .filter(QueueView::ready)
              .mapToLong(q -> q.readySinceNanos() + q.hints().nanos(Hint.DEADLINE));
      long latest = deadlines.max().orElse(0);
      for (int i = 0; i < snapshot.queues().size(); i++) {
        QueueView queue = snapshot.queues().get(i);
        if (queue.readySinceNanos() + queue.hints().nanos(Hint.DEADLINE) == latest) {
          decision.run(i);
        }
      }
      return decision.build();
    }
  }

  private static Hints deadline(long micros) {
    return hints(Hint.DEADLINE, micros);
  }
}
