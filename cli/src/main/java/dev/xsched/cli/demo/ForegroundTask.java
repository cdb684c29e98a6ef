package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.scene.Intervals;
import dev.xsched.bench.scene.Requests;
import dev.xsched.cli.report.Numbers;
import dev.xsched.queue.Command;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Sends requests at fixed times and measures how long each takes. */
final class ForegroundTask implements Performer {
  private final Route route;
  private final Supplier<List<Command>> request;
  private final long periodNanos;
  private final Requests requests = new Requests();
  private final List<Long> wants = new ArrayList<>();
  private final List<Long> delays = new ArrayList<>();

  ForegroundTask(Route route, Supplier<List<Command>> request, Duration period) {
    this.route = route;
    this.request = request;
    this.periodNanos = period.toNanos();
  }

  @Override
  public void perform(Window window) throws InterruptedException {
    long previousEnd = System.nanoTime();
    for (long due = previousEnd; due < window.toNanos(); due += periodNanos) {
      sleepUntil(due);
      // A request that had to wait for the one before counts from when it was due. For the others
      // it is no matter of the device that the host slept a little too long.
      boolean late = previousEnd > due;
      long begin = late ? due : System.nanoTime();
      route.run(request.get());
      long end = System.nanoTime();
      if (window.contains(begin)) {
        requests.add(begin - window.fromNanos(), end - window.fromNanos());
        wants.addAll(List.of(Math.max(begin, previousEnd), end));
        if (!late) {
          delays.add(begin - due);
        }
      }
      previousEnd = end;
    }
  }

  private static void sleepUntil(long nanos) throws InterruptedException {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Override
  public String name() {
    return FixedPriority.FOREGROUND;
  }

  @Override
  public Requests requests() {
    return requests;
  }

  @Override
  public Intervals wants() {
    return new Intervals(wants.stream().mapToLong(nanos -> nanos).toArray());
  }

  /** Nothing that is measured in real time can be better than the machine that measures it. */
  @Override
  public List<String> notes() {
    Latencies late = Latencies.of(List.of(delays.stream().mapToLong(nanos -> nanos).toArray()));
    return late.count() == 0
        ? List.of()
        : List.of(
            "The host woke a sleeping thread %s ms late at P50 and %s ms at P99."
                .formatted(
                    Numbers.significant(late.percentile(50)),
                    Numbers.significant(late.percentile(99))));
  }
}
