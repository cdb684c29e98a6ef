package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Snapshots.MILLI;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.process;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static dev.xsched.policy.builtin.Snapshots.utilization;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.ProcessView;
import org.junit.jupiter.api.Test;

/** First decisions of UP, PUP, SPUP, CFS and MLFQ as tables: whose turn it is, and until when. */
class TurnsTest {
  private static final long NOW = 1_000 * MILLI;

  @Test
  void upGivesSlicesInProportionAndARoundOfTwoLastsTwoSlices() {
    Snapshots snapshot = snapshot().now(NOW).ready(0, utilization(75)).ready(0, utilization(25));
    assertThat(snapshot.runWith(new UtilizationPartition())).containsExactly(1);
    assertThat(wakeAfter(snapshot.decideWith(new UtilizationPartition()))).isEqualTo(7_500_000);
  }

  @Test
  void upLeavesDevicesToThemselves() {
    Snapshots snapshot =
        snapshot()
            .now(NOW)
            .system(Hint.TIMESLICE, 1_000)
            .ready(0, Hints.DEFAULT)
            .ready(1, Hints.DEFAULT)
            .ready(1, Hints.DEFAULT)
            .idle(2, Hints.DEFAULT);
    assertThat(snapshot.runWith(new UtilizationPartition())).containsExactly(1, 2, 4);
    assertThat(wakeAfter(snapshot.decideWith(new UtilizationPartition()))).isEqualTo(MILLI);
  }

  @Test
  void upPrefersAnyUtilizationToNone() {
    assertThat(
            snapshot()
                .ready(0, utilization(0))
                .ready(0, utilization(1))
                .runWith(new UtilizationPartition()))
        .containsExactly(2);
  }

  @Test
  void upLetsThoseOfNoUtilizationTakeTurnsAsWell() {
    assertThat(
            snapshot()
                .ready(0, utilization(0))
                .ready(0, utilization(0))
                .idle(0, utilization(1))
                .runWith(new UtilizationPartition()))
        .containsExactly(1);
  }

  @Test
  void pupOpensAllQueuesOfTheProcessThatHoldsTheDevice() {
    ProcessView holder = process(1, 0);
    ProcessView other = process(2, 0);
    assertThat(
            snapshot()
                .queue(0, holder, true, 0, Hints.DEFAULT, null)
                .queue(0, other, true, 0, Hints.DEFAULT, null)
                .queue(0, holder, false, 0, Hints.DEFAULT, null)
                .queue(0, holder, true, 0, priority(Hint.NO_EXECUTE), null)
                .queue(1, holder, false, 0, Hints.DEFAULT, null)
                .queue(1, other, true, 0, Hints.DEFAULT, null)
                .runWith(new ProcessUtilizationPartition()))
        .containsExactly(1, 3, 6);
  }

  @Test
  void spupGivesALoneProcessItsPartOfEachSlice() {
    Snapshots snapshot = snapshot().now(NOW).ready(0, utilization(20));
    assertThat(wakeAfter(snapshot.decideWith(new StrictProcessUtilizationPartition())))
        .isBetween(MILLI, MILLI + 1);
  }

  @Test
  void spupCountsIdleProcessesWhenItScalesShares() {
    Snapshots snapshot = snapshot().now(NOW).ready(0, Hints.DEFAULT).idle(0, Hints.DEFAULT);
    assertThat(snapshot.runWith(new StrictProcessUtilizationPartition())).containsExactly(1);
    assertThat(wakeAfter(snapshot.decideWith(new StrictProcessUtilizationPartition())))
        .isEqualTo(5 * MILLI);
  }

  @Test
  void cfsGivesEveryoneTheSameSlice() {
    Snapshots snapshot = snapshot().now(NOW).ready(0, priority(5)).ready(0, priority(-5));
    assertThat(snapshot.runWith(new CompletelyFair())).containsExactly(1);
    assertThat(wakeAfter(snapshot.decideWith(new CompletelyFair())))
        .isBetween(5 * MILLI, 5 * MILLI + 1);
  }

  @Test
  void mlfqServesTheBestLevelForItsSlice() {
    Snapshots snapshot =
        snapshot().now(NOW).ready(0, priority(-3)).ready(0, priority(0)).ready(0, priority(2));
    assertThat(snapshot.runWith(new MultilevelFeedbackQueue())).containsExactly(3);
    assertThat(wakeAfter(snapshot.decideWith(new MultilevelFeedbackQueue()))).isEqualTo(2 * MILLI);
  }

  private static long wakeAfter(Decision decision) {
    return decision.wakeNanos() - NOW;
  }
}
