package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Requests;
import dev.xsched.queue.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Runs one task after another without a pause. */
final class BackgroundTask implements Performer {
  private final Route route;
  private final Supplier<List<Command>> task;
  private final Requests requests = new Requests();
  private final List<Long> wants = new ArrayList<>();

  BackgroundTask(Route route, Supplier<List<Command>> task) {
    this.route = route;
    this.task = task;
  }

  @Override
  public void perform(Window window) throws InterruptedException {
    long begin = System.nanoTime();
    while (begin < window.toNanos()) {
      route.run(task.get());
      long end = System.nanoTime();
      if (window.contains(end)) {
        requests.add(begin - window.fromNanos(), end - window.fromNanos());
      }
      if (end > window.fromNanos()) {
        wants.addAll(List.of(Math.max(begin, window.fromNanos()), Math.min(end, window.toNanos())));
      }
      begin = end;
    }
  }

  @Override
  public String name() {
    return FixedPriority.BACKGROUND;
  }

  @Override
  public Requests requests() {
    return requests;
  }

  @Override
  public Intervals wants() {
    return new Intervals(wants.stream().mapToLong(nanos -> nanos).toArray());
  }
}
