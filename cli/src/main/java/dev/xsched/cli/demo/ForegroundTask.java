package dev.xsched.cli.demo;

import dev.xsched.cli.report.Samples;
import dev.xsched.queue.Command;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Sends requests at fixed times and measures how long each takes. */
final class ForegroundTask implements Performer {
  private final Route route;
  private final Supplier<List<Command>> request;
  private final long periodNanos;
  private final LongStream.Builder latencies = LongStream.builder();
  private final LongStream.Builder delays = LongStream.builder();
  private final BusyTimes busy = new BusyTimes();

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
        latencies.add(end - begin);
        if (!late) {
          delays.add(begin - due);
        }
        busy.add(Math.max(begin, previousEnd), end);
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

  Samples latencies() {
    return Samples.ofNanosInMillis(latencies.build().toArray());
  }

  /** How much too late it was woken for a request. */
  Samples hostDelay() {
    return Samples.ofNanosInMillis(delays.build().toArray());
  }

  BusyTimes busy() {
    return busy;
  }
}
