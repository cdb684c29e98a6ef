package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Simulation.SECOND;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static dev.xsched.policy.builtin.Snapshots.snapshot;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Decision;
import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.builtin.Simulation.Task;
import org.junit.jupiter.api.Test;

/** SLO: tables, then programs with and without goals on a device that they share equally. */
class ServiceLevelObjectiveTest {
  private static final Hints DEFAULT = Hints.DEFAULT;

  private final Policy slo = new ServiceLevelObjective();

  @Test
  void withoutGoalsItIsHpf() {
    assertThat(snapshot().ready(0, priority(1)).ready(0, priority(3)).idle(0, DEFAULT).runWith(slo))
        .containsExactly(2);
  }

  @Test
  void whoHasAGoalRunsWhateverTheOthersPrioritiesAre() {
    assertThat(snapshot().ready(0, time(10)).ready(0, priority(255)).ready(1, DEFAULT).runWith(slo))
        .containsExactly(1, 3);
  }

  @Test
  void programsWithGoalsShareWithEachOther() {
    assertThat(snapshot().ready(0, time(10)).ready(0, ratio(1_100)).ready(0, DEFAULT).runWith(slo))
        .containsExactly(1, 2);
  }

  @Test
  void whileNobodyWithAGoalHasWorkTheOthersGoByTheirPriorities() {
    assertThat(
            snapshot()
                .idle(0, time(10))
                .ready(0, priority(2))
                .ready(0, DEFAULT)
                .idle(0, priority(3))
                .runWith(slo))
        .containsExactly(1, 2, 4);
  }

  @Test
  void whoHasAGoalOutranksEverybodySoThatItNeedNotWaitForADecision() {
    Decision.Ranking ranking =
        snapshot().idle(0, ratio(1_050)).ready(0, priority(255)).decideWith(slo).ranking();
    assertThat(requireNonNull(ranking).rank(0)).isGreaterThan(ranking.rank(1));
  }

  @Test
  void aTurnOfTheBackgroundComesSoonAndEnds() {
    Policy half = new ServiceLevelObjective(Pace.fixed(0.5));
    Simulation simulation = new Simulation(half);
    simulation.busyTask(time(100_000));
    Task background = simulation.busyTask(DEFAULT);
    simulation.run(ServiceLevelObjective.TURN_NANOS - 1);
    assertThat(background.isOpen()).isFalse();
    simulation.run(2);
    assertThat(background.isOpen()).isTrue();
    simulation.run(ServiceLevelObjective.TURN_NANOS);
    assertThat(background.isOpen()).isFalse();
  }

  @Test
  void theBackgroundHasTheDeviceWhileTheForegroundIsIdle() {
    Simulation simulation = new Simulation(slo);
    Task foreground = simulation.task(0, simulation.process(), time(1));
    Task background = simulation.busyTask(DEFAULT);
    simulation.every(20 * MILLI, () -> simulation.submit(foreground, 5 * MILLI));
    simulation.run(SECOND);
    assertThat(background.servedNanos)
        .as("a goal of 1 ms for work of 5 ms leaves it the pauses, and all of them")
        .isEqualTo(750.0 * MILLI);
    assertThat(foreground.servedNanos).isEqualTo(250.0 * MILLI);
  }

  @Test
  void theBackgroundGetsMoreTheLooserTheGoalAndTheGoalIsKept() {
    double before = 1;
    for (long micros : new long[] {5_500, 7_000, 9_000}) {
      Simulation simulation = new Simulation(slo);
      Task foreground = simulation.task(0, simulation.process(), time(micros));
      simulation.busyTask(DEFAULT);
      simulation.every(20 * MILLI, () -> simulation.submit(foreground, 5 * MILLI));
      simulation.run(20 * SECOND);
      GoalState state = requireNonNull(simulation.scheduler().goal(foreground.id));
      assertThat(state.kept()).as("%s us: %s", micros, state).isTrue();
      assertThat(state.goalNanos()).isEqualTo(micros * 1_000);
      assertThat((double) state.backgroundPercent()).as("%s us", micros).isGreaterThan(before);
      before = state.backgroundPercent();
    }
  }

  @Test
  void aRatioIsLearnedAloneAndThenKept() {
    Simulation simulation = new Simulation(slo);
    Task foreground = simulation.task(0, simulation.process(), ratio(1_400));
    Task background = simulation.busyTask(DEFAULT);
    simulation.every(20 * MILLI, () -> simulation.submit(foreground, 5 * MILLI));
    simulation.run(SECOND / 2);
    double whileLearning = background.servedNanos;
    assertThat(whileLearning).as("held back to find out").isLessThan(50.0 * MILLI);
    simulation.run(20 * SECOND);
    GoalState state = requireNonNull(simulation.scheduler().goal(foreground.id));
    assertThat(state.aloneNanos()).isEqualTo(5 * MILLI);
    assertThat(state.currentNanos()).isBetween(5 * MILLI, 7 * MILLI);
    assertThat(state.backgroundPercent()).isBetween(10, 60);
    assertThat(background.servedNanos / (20 * SECOND)).isGreaterThan(0.7);
  }

  @Test
  void aForegroundThatStaysAwayIsNotWaitedFor() {
    Simulation simulation = new Simulation(slo);
    Task foreground = simulation.task(0, simulation.process(), ratio(1_050));
    Task background = simulation.busyTask(DEFAULT);
    simulation.submit(foreground, MILLI);
    simulation.run(10 * SECOND);
    assertThat(background.servedNanos).isGreaterThan(8.9 * SECOND);
  }

  @Test
  void aForegroundThatNeverEndsKeepsItsRatio() {
    Simulation simulation = new Simulation(slo);
    Task foreground = simulation.busyTask(ratio(1_200));
    Task background = simulation.busyTask(DEFAULT);
    simulation.run(60 * SECOND);
    assertThat(foreground.servedNanos / (60 * SECOND)).isGreaterThan(1 / 1.2);
    assertThat(background.servedNanos + foreground.servedNanos).isGreaterThan(59.9 * SECOND);
  }

  @Test
  void anImpossibleGoalIsStrictPriority() {
    Simulation simulation = new Simulation(slo);
    Task foreground = simulation.busyTask(time(1));
    Task background = simulation.busyTask(DEFAULT);
    simulation.run(10 * SECOND);
    assertThat(background.servedNanos).isZero();
    assertThat(foreground.servedNanos).isEqualTo(10.0 * SECOND);
  }

  @Test
  void twoGoalsAreBothKeptAndTheMoreCarefulOneDecides() {
    Simulation simulation = new Simulation(slo);
    Task loose = simulation.task(0, simulation.process(), time(30_000));
    Task tight = simulation.task(0, simulation.process(), time(4_500));
    Task background = simulation.busyTask(DEFAULT);
    simulation.every(40 * MILLI, () -> simulation.submit(loose, 10 * MILLI));
    simulation.after(
        20 * MILLI, () -> simulation.every(40 * MILLI, () -> simulation.submit(tight, 4 * MILLI)));
    simulation.run(40 * SECOND);
    for (Task task : new Task[] {loose, tight}) {
      GoalState state = requireNonNull(simulation.scheduler().goal(task.id));
      assertThat(state.kept()).as("%s", state).isTrue();
    }
    assertThat(background.servedNanos).isGreaterThan(25.9 * SECOND);
    assertThat(simulation.scheduler().goal(background.id)).isNull();
  }

  private static Hints time(long micros) {
    return hints(Hint.SLO_P99, micros);
  }

  private static Hints ratio(long thousandths) {
    return hints(Hint.SLO_RATIO, thousandths);
  }
}
