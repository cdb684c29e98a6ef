package dev.xsched.policy.builtin;

import static dev.xsched.policy.builtin.Simulation.MILLI;
import static dev.xsched.policy.builtin.Snapshots.hints;
import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program tells of itself may be anything. */
class ForegroundTest {
  private static final Hints GOAL = hints(Hint.SLO_P99, 100_000);

  private Foreground foreground = new Foreground(Pace.STRICT, 0);
  private long nowNanos;
  private long completed;
  private long waitedNanos;
  private long othersNanos;

  /** A request of 2 ms, 10 ms after the last one. */
  private void request(long commands, long waits) {
    nowNanos += 8 * MILLI;
    observe(true);
    nowNanos += 2 * MILLI;
    completed += commands;
    waitedNanos += waits;
    observe(false);
  }

  private void observe(boolean ready) {
    QueueView queue =
        new QueueView(
            1,
            0,
            new ProcessView(1, 0, 100, 0),
            ready,
            nowNanos,
            true,
            0,
            nowNanos,
            completed,
            waitedNanos,
            false,
            GOAL,
            null);
    foreground = new Foreground(foreground);
    foreground.gather(queue, nowNanos);
    foreground.observe(nowNanos, othersNanos, othersNanos, true);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 50, Long.MAX_VALUE, Long.MIN_VALUE, -1, 0})
  void countsThatCannotBeAreNoFaultOfOurs(long commands) {
    for (int i = 0; i < 60; i++) {
      request(10, MILLI / 2);
    }
    for (int i = 0; i < 60; i++) {
      othersNanos += MILLI;
      request(commands, MILLI);
    }
    assertThat(foreground.state(0).requests()).isGreaterThanOrEqualTo(119);
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 62, Long.MIN_VALUE, -1})
  void norAreWaits(long waits) {
    for (int i = 0; i < 60; i++) {
      request(10, MILLI / 2);
    }
    for (int i = 0; i < 60; i++) {
      othersNanos += MILLI;
      request(10, waits);
    }
    assertThat(foreground.state(0).requests()).isEqualTo(119);
  }
}
