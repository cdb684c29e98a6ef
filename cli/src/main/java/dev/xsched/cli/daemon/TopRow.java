package dev.xsched.cli.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue and what it did between two looks at it.
 *
 * @param share of the time between, for which it had work and was allowed to run; 0 to 1
 */
record TopRow(QueueRow row, double share, double launchesPerSecond) {
  /** Without an earlier state nobody has done anything yet. */
  static List<TopRow> of(@Nullable DaemonState earlier, DaemonState now) {
    Map<Long, QueueState> old = new HashMap<>();
    if (earlier != null) {
      QueueRow.of(earlier).forEach(row -> old.put(row.queue().id(), row.queue()));
    }
    double nanos = earlier == null ? 0 : now.nowNanos() - earlier.nowNanos();
    return QueueRow.of(now).stream().map(r -> row(r, old.get(r.queue().id()), nanos)).toList();
  }

  /** A queue that is new was not there for all of the time: it counts from zero. */
  private static TopRow row(QueueRow row, @Nullable QueueState was, double nanos) {
    if (nanos <= 0) {
      return new TopRow(row, 0, 0);
    }
    long used = row.queue().usedNanos() - (was == null ? 0 : was.usedNanos());
    long launched = row.queue().launched() - (was == null ? 0 : was.launched());
    return new TopRow(row, Math.clamp(used / nanos, 0, 1), Math.max(0, launched) * 1e9 / nanos);
  }
}
