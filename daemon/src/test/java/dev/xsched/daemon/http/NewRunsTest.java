package dev.xsched.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.QueueConfig;
import dev.xsched.daemon.api.Run;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NewRunsTest {
  private static final long LASTS = Long.MAX_VALUE;

  private final Kept kept = new Kept();
  private final NewRuns news = new NewRuns(kept);

  private static Run run(long number, long queue, long start, long end) {
    return new Run(number, queue, 1, 0, start, end, false, "");
  }

  @Test
  void everyRunComesOnce() {
    kept.runs.add(run(1, 1, 10, 20));
    kept.runs.add(run(2, 2, 20, 30));
    assertThat(news.next()).hasSize(2);
    assertThat(news.next()).isEmpty();
    kept.runs.add(run(3, 1, 30, 40));
    assertThat(news.next()).containsExactly(run(3, 1, 30, 40));
  }

  @Test
  void aRunThatLastsComesAtOnceAndAgainWhenItHasEnded() {
    kept.runs.add(run(0, 1, 10, LASTS));
    kept.runs.add(run(1, 2, 20, 30));
    assertThat(news.next()).containsExactlyElementsOf(kept.runs);
    assertThat(news.next()).isEmpty();
    kept.runs.set(0, run(2, 1, 10, 50));
    assertThat(news.next()).containsExactly(run(2, 1, 10, 50));
    assertThat(news.next()).isEmpty();
  }

  @Test
  void aRunThatEndedAndBeganAnewInBetweenComesAsBoth() {
    kept.runs.add(run(0, 1, 10, LASTS));
    assertThat(news.next()).hasSize(1);
    kept.runs.set(0, run(1, 1, 10, 50));
    kept.runs.add(run(0, 1, 60, LASTS));
    assertThat(news.next()).containsExactlyElementsOf(kept.runs);
  }

  @Test
  void whoIsFarBehindGetsTheNewest() {
    for (int i = 1; i <= NewRuns.MOST + 5; i++) {
      kept.runs.add(run(i, 1, i, i + 1));
    }
    assertThat(news.next()).hasSize(NewRuns.MOST).last().isEqualTo(kept.runs.getLast());
    assertThat(news.next()).isEmpty();
  }

  /** A daemon that has nothing but runs; those that last are number 0 and always told. */
  private static final class Kept implements DaemonControl {
    final List<Run> runs = new ArrayList<>();

    @Override
    public List<Run> runsAfter(long number) {
      return runs.stream().filter(r -> r.number() == 0 || r.number() > number).toList();
    }

    @Override
    public List<MechanismChange> changesAfter(long number) {
      return List.of();
    }

    @Override
    public DaemonState state() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void setPolicy(Caller caller, String name) {}

    @Override
    public List<Long> hint(
        Caller caller, String target, Map<Hint, Long> values, Hints.Source source) {
      return List.of();
    }

    @Override
    public List<Long> configure(Caller caller, String target, QueueConfig config) {
      return List.of();
    }

    @Override
    public void stop(Caller caller) {}
  }
}
