package dev.xsched.daemon.http;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.Run;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The runs that one listener has not seen yet; one that lasts comes at once and again when it has
 * ended. Holds on to the open ones only, of which there are never more than two per queue.
 */
final class NewRuns {
  /** Enough for ten seconds of a timeline; who is further behind has lost the older ones. */
  static final int MOST = 10_000;

  private record Key(long queue, long startNanos, boolean interrupted) {
    static Key of(Run run) {
      return new Key(run.queue(), run.startNanos(), run.interrupted());
    }
  }

  private final DaemonControl control;
  private Set<Key> open = Set.of();
  private long last;

  NewRuns(DaemonControl control) {
    this.control = control;
  }

  List<Run> next() {
    Set<Key> stillOpen = new HashSet<>();
    List<Run> news = new ArrayList<>();
    for (Run run : control.runsAfter(last)) {
      boolean lasts = run.endNanos() == Long.MAX_VALUE;
      if (lasts) {
        stillOpen.add(Key.of(run));
      }
      if (!lasts || !open.contains(Key.of(run))) {
        news.add(run);
      }
      last = Math.max(last, run.number());
    }
    open = stillOpen;
    return news.size() <= MOST ? news : news.subList(news.size() - MOST, news.size());
  }
}
