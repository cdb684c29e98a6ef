package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Snapshots.MILLI;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.QueueView;
import dev.xsched.scheduler.Scheduler;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** SLO on a device that keeps ranks apart by its own time slices. */
class GoalsWithSlicesTest {
  private static final long SERVICE = 1;
  private static final long BATCH = 2;
  private static final long SECOND_SERVICE = 3;

  private final ServiceLevelObjective slo = new ServiceLevelObjective();
  private long nowNanos = 5_000 * MILLI;
  private long wakeNanos = Decision.NEVER;
  private double share = Double.NaN;
  private boolean batchRuns = true;
  private long waitedNanos;
  private boolean awaited;
  private long completed;
  private final Scheduler scheduler =
      new Scheduler(slo, () -> nowNanos, atNanos -> wakeNanos = atNanos, new Orders());

  private final class Orders implements Scheduler.Orders {
    @Override
    public void order(long queueId, boolean run) {
      assertThat(queueId).as("who has a goal always runs").isEqualTo(BATCH);
      batchRuns = run;
    }

    @Override
    public long completed(long queueId) {
      return queueId == SERVICE ? completed : 0;
    }

    @Override
    public long waitedNanos(long queueId) {
      return queueId == SERVICE ? waitedNanos : 0;
    }

    @Override
    public boolean awaited(long queueId) {
      return queueId == SERVICE && awaited;
    }

    @Override
    public void decided(Decision.@Nullable Ranking ranking, List<QueueView> queues) {
      share = requireNonNull(ranking).share(0);
    }
  }

  private void beside(Hints service) {
    BitSet slicing = new BitSet();
    slicing.set(0);
    scheduler.setSlicing(slicing);
    scheduler.addQueue(SERVICE, 0, scheduler.addProcess(100, 0), service);
    scheduler.addQueue(BATCH, 0, scheduler.addProcess(200, 0), Hints.DEFAULT);
    scheduler.ready(BATCH, nowNanos);
    scheduler.decide();
  }

  private void pass(long nanos) {
    nowNanos += nanos;
  }

  private void ready(long queue) {
    scheduler.ready(queue, nowNanos);
    scheduler.decide();
  }

  private void idle(long queue) {
    scheduler.idle(queue);
    scheduler.decide();
  }

  /** Requests that take so long, 10 ms apart. The last one is not told to have ended yet. */
  private void requests(int count, long nanos) {
    for (int i = 0; i < count; i++) {
      idle(SERVICE);
      pass(10 * MILLI);
      ready(SERVICE);
      pass(nanos);
    }
  }

  @Test
  void ranksStandAndTheOthersGoByTheirPriorities() {
    Snapshots queues =
        snapshot()
            .slicing(0)
            .ready(0, time(10))
            .ready(0, priority(5))
            .ready(0, Hints.DEFAULT)
            .ready(1, Hints.DEFAULT);
    Decision.Ranking ranking = requireNonNull(queues.decideWith(slo).ranking());
    assertThat(queues.runWith(slo)).containsExactly(1, 2, 4);
    assertThat(List.of(ranking.rank(0), ranking.rank(1), ranking.rank(2)))
        .containsExactly(256, 5, 0);
    assertThat(ranking.share(0)).isZero();
    assertThat(ranking.share(1)).as("nobody has a goal there").isNaN();
  }

  @Test
  void whereTheDeviceDoesNotSliceNoShareIsGiven() {
    Decision decision =
        snapshot().ready(0, time(10)).ready(0, Hints.DEFAULT).slicing(1).decideWith(slo);
    assertThat(requireNonNull(decision.ranking()).share(0)).isNaN();
  }

  @Test
  void theShareGrowsWhileTheGoalIsKeptAndFallsWhenItIsMissed() {
    beside(time(20));
    requests(20, 5 * MILLI);
    double soon = share;
    assertThat(soon).isBetween(0.01, 0.1);
    requests(20, 5 * MILLI);
    requests(1, 25 * MILLI);
    double later = share;
    assertThat(later).isGreaterThan(soon);
    requests(1, 25 * MILLI);
    assertThat(share).as("one miss can be afforded").isEqualTo(later);
    requests(1, 25 * MILLI);
    assertThat(share).isLessThan(later);
    requests(20, 25 * MILLI);
    assertThat(share).as("in vain").isZero();
    assertThat(batchRuns).as("slices hold it back, not gates").isTrue();
  }

  @Test
  void nobodyIsStoppedAndNoWakeUpComesBeforeARequestIsCut() {
    beside(time(2_000));
    for (int i = 0; i < 50; i++) {
      requests(1, 5 * MILLI);
      assertThat(batchRuns).isTrue();
      assertThat(wakeNanos - nowNanos).as("the next look").isGreaterThan(200 * MILLI);
      idle(SERVICE);
      assertThat(wakeNanos).isEqualTo(Decision.NEVER);
    }
    assertThat(share).isGreaterThan(0);
  }

  @Test
  void aRequestThatTakesTwiceItsGoalStopsTheOthersSharingUntilTheNextOne() {
    beside(time(20));
    requests(40, 5 * MILLI);
    idle(SERVICE);
    pass(10 * MILLI);
    ready(SERVICE);
    double before = share;
    assertThat(wakeNanos - nowNanos).isEqualTo(40 * MILLI);
    nowNanos = wakeNanos;
    scheduler.decide();
    assertThat(share).isZero();
    assertThat(wakeNanos - nowNanos).as("not asked again and again").isEqualTo(210 * MILLI);
    idle(SERVICE);
    assertThat(share).isZero();
    pass(10 * MILLI);
    ready(SERVICE);
    assertThat(share).as("one miss can be afforded").isEqualTo(before);
  }

  @Test
  void theShareStandsBetweenRequestsSoThatTheNextOneFindsItInForce() {
    beside(time(20));
    requests(40, 5 * MILLI);
    double atWork = share;
    idle(SERVICE);
    assertThat(share).isEqualTo(atWork);
    pass(60_000 * MILLI);
    scheduler.decide();
    assertThat(share).as("after a long pause").isEqualTo(atWork);
  }

  @Test
  void aRatioIsLearnedWhileTheOthersAreStopped() {
    beside(ratio(1_500));
    for (int i = 0; i < 45; i++) {
      requests(1, 5 * MILLI);
      assertThat(batchRuns).isFalse();
      assertThat(share).isZero();
    }
    assertThat(state().aloneNanos()).as("not known yet").isZero();
    requests(10, 5 * MILLI);
    assertThat(batchRuns).isTrue();
    assertThat(state().aloneNanos()).isEqualTo(5 * MILLI);
    requests(40, 5 * MILLI);
    assertThat(share).isPositive();
  }

  @Test
  void aMissCountsOnlyIfTheProgramWaitedForTheDevice() {
    beside(ratio(1_200));
    slowRequests(300, MILLI, 0);
    assertThat(share).isEqualTo(1);
    slowRequests(40, MILLI, 4 * MILLI);
    assertThat(share).as("by itself").isEqualTo(1);
    for (int i = 0; i < 64; i++) {
      waitedNanos += 5 * MILLI;
      requests(1, 9 * MILLI);
    }
    assertThat(share).as("by others").isLessThan(0.6);
  }

  @Test
  void othersMakeWayWhileWhoIsBoundByItsHostWaits() {
    beside(ratio(1_200));
    slowRequests(100, MILLI / 100, 0);
    awaits(true);
    assertThat(batchRuns).isFalse();
    assertThat(wakeNanos - nowNanos).as("not for ever").isBetween(MILLI, 2 * MILLI);
    awaits(false);
    assertThat(batchRuns).isTrue();
    awaits(true);
    nowNanos = wakeNanos;
    scheduler.decide();
    assertThat(batchRuns).as("it waits for something else").isTrue();
    idle(SERVICE);
    assertThat(batchRuns).as("it has ended, and forgot to tell").isTrue();
  }

  @Test
  void othersDoNotMakeWayForWhoKeepsTheDeviceBusy() {
    beside(ratio(1_200));
    slowRequests(100, 4 * MILLI, 0);
    awaits(true);
    assertThat(batchRuns).isTrue();
  }

  private void awaits(boolean now) {
    awaited = now;
    scheduler.decide();
  }

  @Test
  void aHostThatIsFasterForAMomentIsNoReason() {
    beside(ratio(1_200));
    slowRequests(200, MILLI / 100, 0);
    double before = share;
    int stopped = 0;
    for (int i = 0; i < 400; i++) {
      waitedNanos += MILLI / 100;
      requests(1, i > 90 && i < 130 ? 4 * MILLI : 5 * MILLI);
      stopped += batchRuns ? 0 : 1;
    }
    assertThat(share).isGreaterThanOrEqualTo(before);
    assertThat(stopped).as("nothing is learned anew").isBetween(3, 16);
  }

  @Test
  void whoIsFasterAloneAgainAndAgainWaitsUnseen() {
    beside(ratio(1_200));
    slowRequests(60, MILLI / 100, 0);
    assertThat(share).isPositive();
    for (int i = 0; i < 800; i++) {
      waitedNanos += MILLI / 100;
      requests(1, batchRuns ? 8 * MILLI : 5 * MILLI);
    }
    assertThat(share).isZero();
  }

  @Test
  void whereWaitsAreNotToldEachMissCounts() {
    beside(ratio(1_200));
    slowRequests(200, 0, 0);
    slowRequests(16, 0, 4 * MILLI);
    assertThat(share).isLessThan(0.6);
  }

  @Test
  void waitsThatMakeNoSenseDoNoHarm() {
    beside(ratio(1_200));
    slowRequests(100, MILLI, 0);
    for (long nonsense : new long[] {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0, Long.MAX_VALUE}) {
      waitedNanos = nonsense;
      requests(20, 5 * MILLI);
    }
    assertThat(share).isBetween(0.0, 1.0);
    slowRequests(64, 3 * MILLI, 2 * MILLI);
    assertThat(share).as("what others add still counts").isLessThan(0.6);
  }

  @Test
  void whatComesFirstIsNotTakenForTheUsualSizeOfARequest() {
    beside(ratio(1_500));
    for (int i = 0; i < 300; i++) {
      completed += i < 3 ? 1 : 300;
      requests(1, 5 * MILLI);
    }
    assertThat(state().aloneNanos()).isEqualTo(5 * MILLI);
    assertThat(share).isPositive();
    assertThat(state().requests()).isLessThan(310);
  }

  /** Requests of 5 ms that wait so long for the device; every fourth one takes that much more. */
  private void slowRequests(int count, long waitNanos, long moreNanos) {
    for (int i = 0; i < count; i++) {
      waitedNanos += waitNanos;
      requests(1, 5 * MILLI + (i % 4 == 0 ? moreNanos : 0));
    }
  }

  @Test
  void nowAndThenTheRatioIsCheckedAloneAndTheShareComesBack() {
    beside(ratio(1_500));
    requests(200, 5 * MILLI);
    double before = share;
    int stopped = 0;
    for (int i = 0; i < 250; i++) {
      requests(1, 5 * MILLI);
      assertThat(share > 0).isEqualTo(batchRuns);
      stopped += batchRuns ? 0 : 1;
    }
    assertThat(stopped).isBetween(3, 6);
    assertThat(batchRuns).isTrue();
    assertThat(share).isGreaterThanOrEqualTo(before);
  }

  @Test
  void theOthersAreNotStoppedForWhoStaysAway() {
    beside(ratio(1_500));
    requests(1, 5 * MILLI);
    idle(SERVICE);
    assertThat(batchRuns).isFalse();
    assertThat(wakeNanos - nowNanos).isBetween(1L, 1_000 * MILLI);
    nowNanos = wakeNanos;
    scheduler.decide();
    assertThat(batchRuns).isTrue();
    assertThat(wakeNanos).isEqualTo(Decision.NEVER);
  }

  @Test
  void ofSeveralGoalsTheMostCarefulOfThoseAtWorkDecides() {
    beside(time(20));
    requests(60, 5 * MILLI);
    double loose = share;
    scheduler.addQueue(SECOND_SERVICE, 0, scheduler.addProcess(300, 0), time(1));
    scheduler.decide();
    assertThat(share).as("one that never worked does not count yet").isEqualTo(loose);
    pass(MILLI);
    ready(SECOND_SERVICE);
    assertThat(share).isZero();
    pass(5 * MILLI);
    idle(SECOND_SERVICE);
    assertThat(share).as("it may soon be back").isZero();
    pass(1_100 * MILLI);
    scheduler.decide();
    assertThat(share).isEqualTo(loose);
  }

  @Test
  void whatIsShownIsTheShare() {
    beside(time(20));
    requests(60, 5 * MILLI);
    assertThat(share).isStrictlyBetween(0.05, 0.95);
    assertThat(state().backgroundPercent()).isEqualTo((int) Math.round(100 * share));
  }

  @Test
  void whenSlicesEndTurnsTakeOver() {
    beside(time(20));
    requests(60, 5 * MILLI);
    idle(SERVICE);
    scheduler.setSlicing(new BitSet());
    pass(10 * MILLI);
    ready(SERVICE);
    assertThat(share).isNaN();
    assertThat(batchRuns).isFalse();
    assertThat(wakeNanos - nowNanos).isEqualTo(ServiceLevelObjective.TURN_NANOS);
  }

  private GoalState state() {
    return requireNonNull(scheduler.goal(SERVICE));
  }

  private static Hints time(long millis) {
    return hints(Hint.SLO_P99, 1_000 * millis);
  }

  private static Hints ratio(long thousandths) {
    return hints(Hint.SLO_RATIO, thousandths);
  }
}
