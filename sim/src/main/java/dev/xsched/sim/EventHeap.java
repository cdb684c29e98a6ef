package dev.xsched.sim;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events by time, those of the same time by order of arrival. A binary heap over plain arrays,
 * because it is the innermost loop of every simulation. Not thread-safe.
 */
final class EventHeap {
  private long[] times = new long[64];
  private long[] orders = new long[64];
  private @Nullable Runnable[] events = new @Nullable Runnable[64];
  private int size;
  private long lastOrder;

  boolean isEmpty() {
    return size == 0;
  }

  /** Time of the next event, or the largest number if there is none. */
  long nextNanos() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  void add(long nanos, Runnable event) {
    if (size == times.length) {
      times = Arrays.copyOf(times, 2 * size);
      orders = Arrays.copyOf(orders, 2 * size);
      events = Arrays.copyOf(events, 2 * size);
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      // The newcomer has the largest order, so on equal times it stays below.
      if (times[parent] <= nanos) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, nanos, ++lastOrder, event);
  }

  /** Takes the next event. There must be one. */
  Runnable remove() {
    Runnable next = events[0];
    if (next == null) {
      throw new IllegalStateException("no event is left");
    }
    Runnable last = events[--size];
    events[size] = null;
    if (size > 0 && last != null) {
      sink(times[size], orders[size], last);
    }
    return next;
  }

  private void sink(long nanos, long order, Runnable event) {
    int hole = 0;
    for (int child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && before(child + 1, times[child], orders[child])) {
        child++;
      }
      if (!before(child, nanos, order)) {
        break;
      }
      move(child, hole);
      hole = child;
    }
    put(hole, nanos, order, event);
  }

  private boolean before(int index, long nanos, long order) {
    return times[index] < nanos || (times[index] == nanos && orders[index] < order);
  }

  private void move(int from, int to) {
    times[to] = times[from];
    orders[to] = orders[from];
    events[to] = events[from];
  }

  private void put(int index, long nanos, long order, Runnable event) {
    times[index] = nanos;
    orders[index] = order;
    events[index] = event;
  }
}
