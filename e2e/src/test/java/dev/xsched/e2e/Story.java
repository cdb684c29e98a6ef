package dev.xsched.e2e;

import java.util.ArrayList;
import java.util.List;

/** What happened when, for whoever must find out why a test failed. */
final class Story {
  private record Event(long nanos, String what) {}

  private final long start = System.nanoTime();
  private final List<Event> events = new ArrayList<>();

  void tell(String what) {
    tell(System.nanoTime(), what);
  }

  synchronized void tell(long nanos, String what) {
    events.add(new Event(nanos, what));
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder();
    events.stream()
        .sorted((a, b) -> Long.compare(a.nanos, b.nanos))
        .forEach(e -> text.append("%8.3f s  %s%n".formatted((e.nanos - start) / 1e9, e.what)));
    return text.toString();
  }
}
