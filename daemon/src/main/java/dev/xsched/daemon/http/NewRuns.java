package dev.xsched.daemon.http;

import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The runs that one listener has not seen yet, and those that lasted when it saw them and have
 * ended since. Holds on to the open ones only, of which there are never more than queues.
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
  private final Map<Key, Long> open = new HashMap<>();
  private long last;

  NewRuns(DaemonControl control) {
    this.control = control;
  }

  List<Run> next() {
    long after = open.values().stream().mapToLong(number -> number - 1).reduce(last, Math::min);
    List<Run> runs = control.runsAfter(after);
    Set<Key> stillOpen = new HashSet<>();
    List<Run> news = new ArrayList<>();
    for (Run run : runs) {
      Key key = Key.of(run);
      boolean ended = run.endNanos() != Long.MAX_VALUE;
      if (!ended) {
        stillOpen.add(key);
      }
      if (run.number() > last || (ended && open.containsKey(key))) {
        news.add(run);
      }
    }
    for (Run run : runs) {
      last = Math.max(last, run.number());
      if (run.endNanos() == Long.MAX_VALUE) {
        open.put(Key.of(run), run.number());
      }
    }
    open.keySet().retainAll(stillOpen);
    return news.size() <= MOST ? news : news.subList(news.size() - MOST, news.size());
  }
}
