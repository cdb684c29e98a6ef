package dev.xsched.daemon;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongFunction;

/** What happened, numbered from 1, as far back as there is room. */
final class Timeline<T> {
  private final Deque<T> kept = new ArrayDeque<>();
  private final int capacity;
  private long last;

  Timeline(int capacity) {
    this.capacity = capacity;
  }

  void add(LongFunction<T> numbered) {
    if (kept.size() == capacity) {
      kept.removeFirst();
    }
    kept.addLast(numbered.apply(++last));
  }

  /** Those with a higher number, oldest first; takes as long as there are such. */
  List<T> after(long number) {
    int news = Math.clamp(last - Math.max(0, number), 0, kept.size());
    List<T> newestFirst = new ArrayList<>(news);
    Iterator<T> next = kept.descendingIterator();
    while (newestFirst.size() < news) {
      newestFirst.add(next.next());
    }
    return newestFirst.reversed();
  }
}
