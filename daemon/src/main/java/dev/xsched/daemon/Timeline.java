package dev.xsched.daemon;

import java.util.ArrayDeque;
import java.util.Deque;
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

  /** Those with a higher number, oldest first. */
  List<T> after(long number) {
    long first = last - kept.size() + 1;
    return kept.stream().skip(Math.max(0, number + 1 - first)).toList();
  }
}
