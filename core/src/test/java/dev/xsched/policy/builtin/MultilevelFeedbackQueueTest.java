package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.FOREVER;
import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Simulation.SECOND;
import static dev.xsched.policy.builtin.Snapshots.priority;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.xsched.policy.Hints;
import dev.xsched.policy.builtin.Simulation.Task;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MultilevelFeedbackQueueTest {
  private final Simulation simulation = new Simulation(new MultilevelFeedbackQueue());

  @Test
  void shortWorkGoesBeforeLongWorkWithoutAnyHint() {
    Task batch = simulation.busyTask(Hints.DEFAULT);
    Task interactive = simulation.task(0, simulation.process(), Hints.DEFAULT);
    simulation.every(20 * MILLI, () -> simulation.submit(interactive, 2 * MILLI));
    simulation.run(10 * SECOND);
    assertThat(interactive.servedNanos).isCloseTo(1.0 * SECOND, within(5.0 * MILLI));
    assertThat(interactive.longestGapNanos).isLessThanOrEqualTo(4 * MILLI);
    assertThat(batch.servedNanos).isCloseTo(9.0 * SECOND, within(5.0 * MILLI));
  }

  @Test
  void longWorkSharesInTurnsOfTheLastSlice() {
    Task one = simulation.busyTask(Hints.DEFAULT);
    Task two = simulation.busyTask(Hints.DEFAULT);
    simulation.run(10 * SECOND);
    assertThat(one.servedNanos).isCloseTo(5.0 * SECOND, within(17.0 * MILLI));
    assertThat(two.longestGapNanos).isEqualTo(16 * MILLI);
  }

  @Test
  void aShortPauseDoesNotRenewASlice() {
    Task honest = simulation.busyTask(Hints.DEFAULT);
    Task trickster = simulation.task(0, simulation.process(), Hints.DEFAULT);
    runAlmostASlice(trickster);
    simulation.run(10 * SECOND);
    assertThat(honest.servedNanos).isGreaterThan(4.0 * SECOND);
  }

  private void runAlmostASlice(Task task) {
    simulation.submit(
        task, 3_900_000, () -> simulation.after(MILLI / 100, () -> runAlmostASlice(task)));
  }

  @Test
  void aQueueThatPausesLongEnoughRisesAgain() {
    Task batch = simulation.busyTask(Hints.DEFAULT);
    Task changing = simulation.busyTask(Hints.DEFAULT);
    simulation.run(SECOND); // both are at the last level
    simulation.cancel(changing);
    simulation.run(16 * MILLI);
    double before = batch.servedNanos;
    simulation.submit(changing, 5 * MILLI);
    simulation.run(5 * MILLI);
    assertThat(batch.servedNanos).isEqualTo(before);
  }

  @Test
  void aHigherPriorityStartsAtABetterLevel() {
    simulation.busyTask(priority(-1));
    simulation.run(MILLI);
    Task middle = simulation.busyTask(priority(0));
    simulation.run(MILLI);
    Task high = simulation.busyTask(priority(1));
    simulation.run(MILLI);
    assertThat(middle.servedNanos).isEqualTo(MILLI);
    assertThat(high.servedNanos).isEqualTo(MILLI);
  }

  @Test
  void evenAFloodOfBetterQueuesStarvesNobody() {
    Task poor = simulation.busyTask(priority(-1));
    List<Task> flood = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Task task = simulation.task(0, simulation.process(), priority(5));
      flood.add(task);
      again(task);
    }
    simulation.run(10 * SECOND);
    assertThat(poor.longestGapNanos).isBetween(400 * MILLI, 600 * MILLI);
    assertThat(flood).allMatch(task -> task.servedNanos > SECOND);
  }

  /** Short work with a pause that renews the slice: 5 of them fill the device. */
  private void again(Task task) {
    simulation.submit(
        task, MILLI, () -> simulation.after(2 * MILLI + MILLI / 2, () -> again(task)));
  }

  @Test
  void aLoneQueueNeedsNoTimer() {
    Task alone = simulation.task(0, simulation.process(), Hints.DEFAULT);
    simulation.submit(alone, FOREVER);
    long before = simulation.decisions();
    simulation.run(10 * SECOND);
    assertThat(simulation.decisions() - before).isEqualTo(1);
  }
}
