package dev.xsched.cli.demo;

import dev.xsched.queue.Command;
import java.util.List;
import java.util.function.Supplier;

/** Runs one task after another without a pause and counts them. */
final class BackgroundTask implements Performer {
  private final Route route;
  private final Supplier<List<Command>> task;
  private final BusyTimes busy = new BusyTimes();
  private double perSecond;

  BackgroundTask(Route route, Supplier<List<Command>> task) {
    this.route = route;
    this.task = task;
  }

  @Override
  public void perform(Window window) throws InterruptedException {
    int completed = 0;
    long begin = System.nanoTime();
    while (begin < window.toNanos()) {
      route.run(task.get());
      long end = System.nanoTime();
      busy.add(begin, end);
      if (window.contains(end)) {
        completed++;
      }
      begin = end;
    }
    perSecond = completed * 1e9 / window.nanos();
  }

  double perSecond() {
    return perSecond;
  }

  BusyTimes busy() {
    return busy;
  }
}
