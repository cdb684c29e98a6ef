package dev.xsched.daemon;

import dev.xsched.link.Slot;
import dev.xsched.policy.Decision;
import dev.xsched.policy.QueueView;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Knows of each queue whether work of others may go before its own, or waits for it. Queues count
 * whether they are ready or not: a program that keeps no window, because nobody can go before it,
 * has to begin with it before somebody comes.
 *
 * <p>Ranks tell: who is ranked higher may go before, who is ranked lower may have to wait, equal
 * ones share. Where there are no ranks, or where they change by themselves, anybody may do both.
 */
final class Others {
  private boolean anybody;
  private boolean acrossDevices;
  private int[] queues = new int[1];
  private int[] highest = new int[1];
  private int[] lowest = new int[1];

  /** Returns whether ranks are to be read in another way than before. */
  boolean follow(Decision.@Nullable Ranking ranking) {
    boolean anybodyNow = ranking == null || ranking.mayChange();
    boolean acrossNow = ranking != null && ranking.acrossDevices();
    boolean changed = anybodyNow != anybody || acrossNow != acrossDevices;
    anybody = anybodyNow;
    acrossDevices = acrossNow;
    return changed;
  }

  /** Counts those that are not set apart. */
  void count(List<QueueView> views, int[] ranks, int devices, IntPredicate apart) {
    if (queues.length < devices) {
      queues = new int[devices];
      highest = new int[devices];
      lowest = new int[devices];
    }
    Arrays.fill(queues, 0);
    Arrays.fill(highest, Integer.MIN_VALUE);
    Arrays.fill(lowest, Integer.MAX_VALUE);
    for (int i = 0; i < views.size(); i++) {
      if (apart.test(i)) {
        continue;
      }
      QueueView view = views.get(i);
      int place = place(view);
      queues[place]++;
      if (view.hints().executes()) {
        highest[place] = Math.max(highest[place], ranks[i]);
        lowest[place] = Math.min(lowest[place], ranks[i]);
      }
    }
  }

  /** What to tell a queue: {@link Slot#OTHERS_ABOVE}, {@link Slot#OTHERS_BELOW}, both or none. */
  int of(QueueView view, int rank) {
    int place = place(view);
    if (anybody) {
      return queues[place] > 1 ? Slot.OTHERS_ABOVE | Slot.OTHERS_BELOW : 0;
    }
    return (highest[place] > rank ? Slot.OTHERS_ABOVE : 0)
        | (lowest[place] < rank ? Slot.OTHERS_BELOW : 0);
  }

  /** Whether there are several on its device that are not set apart. */
  boolean areSeveral(QueueView view) {
    return queues[place(view)] > 1;
  }

  private int place(QueueView view) {
    return acrossDevices ? 0 : view.device();
  }
}
