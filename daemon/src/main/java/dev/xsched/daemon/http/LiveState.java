package dev.xsched.daemon.http;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.json.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state as text, made once for all who listen and not more often than people can see. Nobody
 * pays for it while nobody listens.
 */
final class LiveState {
  /**
   * @param version changes when anything but the time has changed
   */
  record Snapshot(long version, String json) {}

  private final DaemonControl control;
  private final LongSupplier nanoTime;
  private final long shortestNanos;
  private @Nullable Snapshot snapshot;
  private @Nullable DaemonState timeless;
  private long takenNanos;

  /**
   * @param shortestNanos how old a state may be before it is taken anew
   */
  LiveState(DaemonControl control, LongSupplier nanoTime, long shortestNanos) {
    this.control = control;
    this.nanoTime = nanoTime;
    this.shortestNanos = shortestNanos;
  }

  synchronized Snapshot latest() {
    long now = nanoTime.getAsLong();
    Snapshot last = snapshot;
    if (last != null && now - takenNanos < shortestNanos) {
      return last;
    }
    DaemonState state = control.state();
    DaemonState newTimeless = timeless(state);
    long version = last == null ? 1 : last.version() + (newTimeless.equals(timeless) ? 0 : 1);
    Snapshot next = new Snapshot(version, Json.compact(state));
    snapshot = next;
    timeless = newTimeless;
    takenNanos = now;
    return next;
  }

  /** The state without what changes although nothing happens. */
  private static DaemonState timeless(DaemonState s) {
    Map<String, Long> statistics = new HashMap<>(s.statistics());
    statistics.remove(Statistic.CPU_NANOS.label());
    return new DaemonState(
        s.version(),
        s.protocol(),
        s.pid(),
        s.owner(),
        s.directory(),
        0,
        0,
        s.policy(),
        s.policyFailed(),
        s.systemHints(),
        s.devices(),
        s.programs(),
        statistics,
        s.decisionNanos(),
        s.preemptionNanos());
  }
}
