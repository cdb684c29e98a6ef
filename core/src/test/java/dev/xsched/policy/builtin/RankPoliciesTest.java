package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Snapshots.MILLI;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.process;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import org.junit.jupiter.api.Test;

/** HPF, HHPF, CHPF, AWF and LAX as tables: these queues, so those run. */
class RankPoliciesTest {
  private static final Hints DEFAULT = Hints.DEFAULT;
  private static final Hints NEVER = priority(Hint.NO_EXECUTE);

  private final Policy hpf = new HighestPriorityFirst();
  private final Policy hhpf = new HeterogeneousHighestPriorityFirst();
  private final Policy chpf = new CpuHighestPriorityFirst();
  private final Policy awf = new ActiveWindowFirst();
  private final Policy lax = new LaxityBased();

  @Test
  void hpfRunsTheHighestReadyPriorityAndEqualsShare() {
    assertThat(
            snapshot()
                .ready(0, priority(1))
                .ready(0, priority(3))
                .ready(0, priority(3))
                .ready(0, priority(-255))
                .runWith(hpf))
        .containsExactly(2, 3);
  }

  @Test
  void hpfOpensIdleQueuesThatHarmNobody() {
    assertThat(
            snapshot()
                .ready(0, priority(2))
                .idle(0, priority(1))
                .idle(0, priority(2))
                .idle(0, priority(9))
                .runWith(hpf))
        .containsExactly(1, 3, 4);
  }

  @Test
  void hpfOpensAllButTheForbiddenWhenNobodyIsReady() {
    assertThat(
            snapshot()
                .idle(0, priority(-255))
                .idle(0, NEVER)
                .ready(0, NEVER)
                .idle(0, DEFAULT)
                .runWith(hpf))
        .containsExactly(1, 4);
  }

  @Test
  void hpfTreatsEachDeviceByItself() {
    assertThat(
            snapshot()
                .ready(0, priority(5))
                .ready(1, priority(1))
                .ready(0, priority(1))
                .ready(2, priority(-7))
                .runWith(hpf))
        .containsExactly(1, 2, 4);
  }

  @Test
  void hhpfHoldsBackOtherDevices() {
    assertThat(
            snapshot()
                .ready(0, priority(5))
                .ready(1, priority(1))
                .ready(1, priority(5))
                .idle(2, priority(4))
                .idle(2, priority(6))
                .runWith(hhpf))
        .containsExactly(1, 3, 5);
  }

  @Test
  void chpfFollowsTheNiceValueAndIgnoresThePriority() {
    assertThat(
            snapshot()
                .queue(0, process(1, 10), true, 0, priority(200), null)
                .queue(0, process(2, -5), true, 0, DEFAULT, null)
                .queue(0, process(3, -20), true, 0, NEVER, null)
                .queue(1, process(4, 19), true, 0, DEFAULT, null)
                .queue(0, process(5, -6), false, 0, DEFAULT, null)
                .queue(0, process(6, -4), false, 0, DEFAULT, null)
                .runWith(chpf))
        .containsExactly(2, 4, 5);
  }

  @Test
  void awfRunsTheProcessInFrontOnEveryDeviceWhereItIsReady() {
    assertThat(
            snapshot()
                .system(Hint.WINDOW_ACTIVE, 7)
                .queue(0, process(7, 0), true, 0, DEFAULT, null)
                .queue(0, process(8, 0), true, 0, DEFAULT, null)
                .queue(1, process(7, 0), false, 0, DEFAULT, null)
                .queue(1, process(8, 0), true, 0, DEFAULT, null)
                .queue(1, process(9, 0), true, 0, DEFAULT, null)
                .runWith(awf))
        .containsExactly(1, 3, 4, 5);
  }

  @Test
  void awfLetsAllShareWithoutAnActiveWindow() {
    ProcessView ofUnknownPid = new ProcessView(1, 0, 0, 0);
    assertThat(
            snapshot()
                .queue(0, ofUnknownPid, true, 0, DEFAULT, null)
                .queue(0, process(2, 0), true, 0, DEFAULT, null)
                .runWith(awf))
        .containsExactly(1, 2);
  }

  @Test
  void laxWaitsAtItsLaxPriorityAndAsksForTheMomentOfChange() {
    Snapshots snapshot =
        snapshot()
            .now(100 * MILLI)
            .readySince(95 * MILLI, 0, laxity(10_000))
            .readySince(99 * MILLI, 0, laxity(10_000))
            .ready(0, priority(3));
    assertThat(snapshot.runWith(lax)).containsExactly(3);
    assertThat(snapshot.decideWith(lax).wakeNanos()).isEqualTo(105 * MILLI);
  }

  @Test
  void laxTurnsCriticalAtTheVeryMomentOfExpiry() {
    Snapshots snapshot =
        snapshot()
            .now(105 * MILLI)
            .readySince(95 * MILLI, 0, laxity(10_000))
            .readySince(95 * MILLI + 1, 0, laxity(10_000))
            .ready(0, priority(3));
    assertThat(snapshot.runWith(lax)).containsExactly(1);
    assertThat(snapshot.decideWith(lax).wakeNanos()).isEqualTo(105 * MILLI + 1);
  }

  @Test
  void laxAsksForNothingWhereNoLaxityRuns() {
    Snapshots snapshot =
        snapshot()
            .ready(0, priority(1))
            .idle(0, laxity(10))
            .readySince(0, 0, laxity(10))
            .ready(1, laxity(Hint.LAXITY.max() - 1))
            .ready(1, laxity(10).with(Hint.PRIORITY, Hint.NO_EXECUTE, Hints.Source.REST));
    assertThat(snapshot.decideWith(lax).wakeNanos()).isEqualTo(Decision.NEVER);
    assertThat(snapshot.runWith(lax)).containsExactly(3, 4);
  }

  @Test
  void laxCountsNoLaxityAtAllAsUsedUp() {
    assertThat(snapshot().ready(0, priority(3)).ready(0, laxity(0)).runWith(lax))
        .containsExactly(2);
  }

  private static Hints laxity(long micros) {
    return hints(Hint.LAXITY, micros)
        .with(Hint.LAX_PRIORITY, -5, Hints.Source.APPLICATION)
        .with(Hint.CRITICAL_PRIORITY, 9, Hints.Source.APPLICATION);
  }
}
