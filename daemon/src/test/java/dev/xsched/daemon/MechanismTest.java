package dev.xsched.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.Mechanism.Contender;
import dev.xsched.daemon.Mechanism.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When time slices keep queues apart, and which gates are left to do. */
class MechanismTest {
  private static final Contender HIGH = ready(10);
  private static final Contender MIDDLE = ready(5);
  private static final Contender LOW = ready(0);

  private static Contender ready(int rank) {
    return new Contender(rank, true, true, false, true, 0, Habit.Use.USUAL, Work.ON_GPU, true);
  }

  private static Contender withSlice(Contender contender, long micros) {
    return new Contender(
        contender.rank(),
        contender.executes(),
        contender.ready(),
        contender.rests(),
        contender.offersSlices(),
        micros,
        contender.use(),
        Work.ON_GPU,
        true);
  }

  private static Contender idle(Contender contender) {
    return new Contender(
        contender.rank(),
        true,
        false,
        false,
        true,
        contender.sliceMicros(),
        contender.use(),
        Work.ON_GPU,
        true);
  }

  @Test
  void betweenTwoRanksSlicesDoIt() {
    Mechanism mechanism = Mechanism.of(List.of(HIGH, LOW), true, Double.NaN);
    assertThat(mechanism.bySlices()).isTrue();
    assertThat(mechanism.slice(HIGH)).isEqualTo(1_000_000);
    assertThat(mechanism.slice(LOW)).isEqualTo(1);
    assertThat(mechanism.opens(HIGH, List.of(HIGH, LOW))).isTrue();
    assertThat(mechanism.opens(LOW, List.of(HIGH, LOW))).isTrue();
    assertThat(mechanism.setsApart(HIGH)).isTrue();
    assertThat(mechanism.setsApart(LOW)).isFalse();
  }

  @Test
  void ofTheRanksBelowOnlyOneHasWorkOnTheGpu() {
    List<Contender> all = List.of(HIGH, MIDDLE, LOW);
    Mechanism mechanism = Mechanism.of(all, true, Double.NaN);
    assertThat(all.stream().map(mechanism::slice)).containsExactly(1_000_000L, 1L, 1L);
    assertThat(mechanism.opens(MIDDLE, all)).isFalse();
    assertThat(mechanism.opens(MIDDLE, List.of(HIGH, MIDDLE, interrupted(LOW)))).isTrue();
    assertThat(mechanism.opens(MIDDLE, List.of(HIGH, MIDDLE, having(LOW, Work.LEAVING)))).isTrue();
    assertThat(mechanism.opens(MIDDLE, List.of(HIGH, MIDDLE, idle(LOW)))).isTrue();
    assertThat(mechanism.opens(impatient(MIDDLE), all)).isTrue();
    assertThat(mechanism.opens(LOW, all)).isFalse();
    assertThat(mechanism.opens(LOW, List.of(HIGH, idle(MIDDLE), LOW))).isTrue();
    assertThat(all.stream().map(c -> mechanism.isOutranked(c, all)))
        .containsExactly(false, false, true);
    assertThat(mechanism.isOutranked(LOW, List.of(HIGH, idle(MIDDLE), LOW))).isFalse();
  }

  private static Contender impatient(Contender contender) {
    return new Contender(
        contender.rank(),
        true,
        contender.ready(),
        false,
        true,
        1,
        contender.use(),
        Work.ON_GPU,
        false);
  }

  @Test
  void equalOnesAtTheTopAreNotGivenASecondEach() {
    Mechanism mechanism = Mechanism.of(List.of(HIGH, HIGH, LOW), true, Double.NaN);
    assertThat(mechanism.bySlices()).isTrue();
    assertThat(mechanism.slice(HIGH)).isZero();
    assertThat(mechanism.slice(LOW)).isEqualTo(1);
  }

  private static Contender resting(Contender contender) {
    return new Contender(
        contender.rank(), true, false, true, true, 0, contender.use(), Work.ON_GPU, true);
  }

  @Test
  void whoHasHadNoWorkForAWhileTakesNothingFromItsEqual() {
    Contender eager = used(HIGH, new Habit.Use(false, 512));
    Mechanism mechanism = Mechanism.of(List.of(eager, resting(HIGH), LOW), true, Double.NaN);
    assertThat(mechanism.slice(eager)).isEqualTo(1_000_000);
    assertThat(mechanism.slice(LOW)).isEqualTo(512);
    Mechanism quiet = Mechanism.of(List.of(resting(HIGH), resting(HIGH), LOW), true, Double.NaN);
    assertThat(quiet.slice(HIGH)).isEqualTo(1_000_000);
    assertThat(quiet.slice(LOW)).isEqualTo(1);
  }

  @Test
  void itIsInForceOnceEverybodySaysSo() {
    Mechanism mechanism = Mechanism.of(List.of(HIGH, LOW), true, Double.NaN);
    Contender high = withSlice(HIGH, 1_000_000);
    assertThat(mechanism.isInForce(List.of(HIGH, LOW))).isFalse();
    assertThat(mechanism.isInForce(List.of(high, LOW))).isFalse();
    assertThat(mechanism.isInForce(List.of(high, withSlice(LOW, 1)))).isTrue();
    assertThat(mechanism.isInForce(List.of(high, resting(LOW)))).isTrue();
  }

  @Test
  void theDriversSliceIsLongEnoughForTheHighestRank() {
    Contender low = withSlice(LOW, 1);
    Mechanism mechanism = Mechanism.of(List.of(HIGH, low), true, Double.NaN);
    assertThat(mechanism.isInForce(List.of(HIGH, low))).isTrue();
    assertThat(mechanism.isInForce(List.of(withSlice(HIGH, 1), low))).isFalse();
    Contender hoarding = withSlice(HIGH, 1_000_000);
    Mechanism equals = Mechanism.of(List.of(hoarding, HIGH, low), true, Double.NaN);
    assertThat(equals.isInForce(List.of(hoarding, HIGH, low))).isFalse();
  }

  @Test
  void gatesDoItWhereSomebodyOffersNothing() {
    Contender without =
        new Contender(0, true, true, false, false, 0, Habit.Use.USUAL, Work.ON_GPU, true);
    Mechanism mechanism = Mechanism.of(List.of(HIGH, without), true, Double.NaN);
    assertThat(mechanism.bySlices()).isFalse();
    assertThat(mechanism.slice(HIGH)).isZero();
    assertThat(mechanism.reason()).isEqualTo("not every program on the device offers time slices");
  }

  @Test
  void gatesDoItWhereRanksDoNotStand() {
    Mechanism mechanism = Mechanism.of(List.of(HIGH, LOW), false, Double.NaN);
    assertThat(mechanism.bySlices()).isFalse();
    assertThat(mechanism.reason()).isEqualTo("the policy has no ranks that stand");
  }

  @Test
  void thereIsNothingToDoForOneRank() {
    for (List<Contender> all : List.of(List.of(LOW), List.of(LOW, LOW))) {
      Mechanism mechanism = Mechanism.of(all, true, Double.NaN);
      assertThat(mechanism.bySlices()).isFalse();
      assertThat(mechanism.slice(LOW)).isZero();
      assertThat(mechanism.reason()).isEqualTo("nobody on the device is ranked higher than others");
    }
  }

  @Test
  void whoIsNeverToRunCountsForNothingAndStaysClosed() {
    Contender never =
        new Contender(-256, false, true, false, false, 0, Habit.Use.USUAL, Work.ON_GPU, true);
    assertThat(Mechanism.of(List.of(LOW, never), true, Double.NaN).bySlices()).isFalse();
    Mechanism mechanism = Mechanism.of(List.of(HIGH, LOW, never), true, Double.NaN);
    assertThat(mechanism.bySlices()).isTrue();
    assertThat(mechanism.slice(never)).isZero();
    assertThat(mechanism.opens(never, List.of(HIGH, LOW, never))).isFalse();
  }

  private static Contender used(Contender contender, Habit.Use use) {
    return new Contender(
        contender.rank(),
        true,
        contender.ready(),
        false,
        true,
        contender.sliceMicros(),
        use,
        Work.ON_GPU,
        true);
  }

  @Test
  void whoLaunchesManyThingsBeforeItWaitsLeavesGaps() {
    Contender eager = used(HIGH, new Habit.Use(false, 512));
    Mechanism mechanism = Mechanism.of(List.of(eager, LOW), true, Double.NaN);
    assertThat(mechanism.slice(LOW)).isEqualTo(512);
    assertThat(mechanism.reason()).contains("512 us");
    assertThat(Mechanism.of(List.of(eager, HIGH, LOW), true, Double.NaN).slice(LOW)).isEqualTo(1);
  }

  @Test
  void anotherShortSliceIsInForceWhileItIsBeingChanged() {
    Contender high = withSlice(used(HIGH, new Habit.Use(false, 512)), 1_000_000);
    Mechanism mechanism = Mechanism.of(List.of(high, LOW), true, Double.NaN);
    assertThat(mechanism.isInForce(List.of(high, withSlice(LOW, 1)))).isTrue();
    assertThat(mechanism.isInForce(List.of(high, withSlice(LOW, 1_000_000)))).isFalse();
  }

  @Test
  void whoWaitsOftenHasOthersInterruptedWhileItHasWork() {
    Contender tiny = used(HIGH, new Habit.Use(true, 1));
    Mechanism mechanism = Mechanism.of(List.of(tiny, LOW), true, Double.NaN);
    assertThat(mechanism.interruptsOthers(List.of(tiny, LOW))).isTrue();
    assertThat(mechanism.interruptsOthers(List.of(idle(tiny), LOW))).isFalse();
    assertThat(mechanism.interruptsOthers(List.of(idle(tiny), HIGH, LOW))).isFalse();
    List<Contender> usual = List.of(HIGH, LOW);
    assertThat(Mechanism.of(usual, true, Double.NaN).interruptsOthers(usual)).isFalse();
  }

  @Test
  void whoWaitsOftenIsLetInWhenTheOthersAreOffTheGpu() {
    Contender tiny = used(HIGH, new Habit.Use(true, 1));
    Mechanism mechanism = Mechanism.of(List.of(tiny, LOW), true, Double.NaN);
    assertThat(mechanism.opens(tiny, List.of(tiny, LOW))).isFalse();
    assertThat(mechanism.opens(tiny, List.of(tiny, idle(LOW)))).isTrue();
    assertThat(mechanism.opens(tiny, List.of(tiny, having(LOW, Work.LEAVING)))).isFalse();
    assertThat(mechanism.opens(tiny, List.of(tiny, interrupted(LOW)))).isTrue();
    assertThat(mechanism.opens(tiny, List.of(tiny, interrupted(LOW), MIDDLE))).isFalse();
  }

  private static Contender interrupted(Contender contender) {
    return having(contender, Work.OFF);
  }

  private static Contender having(Contender contender, Work work) {
    return new Contender(
        contender.rank(), true, contender.ready(), false, true, 1, contender.use(), work, true);
  }

  @Test
  void equalOnesBelowTakeTurns() {
    Contender other = ready(0);
    List<Contender> all = List.of(HIGH, LOW, other);
    Mechanism mechanism = Mechanism.of(all, true, Double.NaN);
    assertThat(mechanism.onlyOne(all, 4)).isEqualTo(1);
    assertThat(mechanism.onlyOne(all, 5)).isEqualTo(2);
    assertThat(mechanism.onlyOne(List.of(HIGH, LOW, idle(other)), 5)).isEqualTo(-1);
    assertThat(mechanism.onlyOne(List.of(HIGH, LOW), 5)).isEqualTo(-1);
    assertThat(mechanism.onlyOne(List.of(HIGH, MIDDLE, LOW), 5)).isEqualTo(-1); // One goes before.
  }

  @Test
  void aShareIsGivenByTheLengthOfSlices() {
    Contender tiny = used(HIGH, new Habit.Use(true, 1));
    List<Contender> all = List.of(tiny, LOW);
    assertThat(Mechanism.of(all, true, 0).slice(LOW)).isEqualTo(1);
    assertThat(Mechanism.of(all, true, 0.3).slice(LOW)).isEqualTo(1216);
    assertThat(Mechanism.of(all, true, 1).slice(LOW)).isEqualTo(4096);
    assertThat(Mechanism.of(all, true, 0.3).interruptsOthers(all)).isFalse();
    assertThat(Mechanism.of(all, true, 0).interruptsOthers(all)).isTrue();
    assertThat(Mechanism.of(all, true, 0.3).reason()).contains("1216 us");
  }

  @Test
  void aShareIsNoReasonToSwitchAllTheTime() {
    Contender eager = used(HIGH, new Habit.Use(false, 512));
    assertThat(Mechanism.of(List.of(eager, LOW), true, 0).slice(LOW)).isEqualTo(512);
    assertThat(Mechanism.of(List.of(eager, LOW), true, 0.5).slice(LOW)).isEqualTo(2304);
    assertThat(Mechanism.of(List.of(eager, LOW), true, 1).slice(LOW)).isEqualTo(4096);
  }
}
