package dev.xsched.sim.experiment;

import dev.xsched.policy.Hints;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import dev.xsched.queue.XQueue;
import dev.xsched.sim.DeviceModel;
import dev.xsched.sim.Samples;
import dev.xsched.sim.Simulation;
import dev.xsched.sim.VirtualQueue;
import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Experiments 7.3.1 and 7.3.2, figure 11: a task launches commands of one length without end and is
 * suspended at random moments. The latency is from the call until the device has left its queue.
 */
public final class PreemptionLatency {
  private final Simulation simulation;
  private final VirtualQueue hwQueue;
  private final XQueue queue;
  private final Duration command;
  private final int ahead;
  private final SplittableRandom random;
  private final Samples latencies = new Samples();

  private PreemptionLatency(
      DeviceModel model, Level level, LaunchWindow window, Duration command, long seed) {
    this.simulation = Simulation.unscheduled(model, seed);
    Simulation.ScheduledQueue preempted = simulation.newQueue("preempted", Hints.DEFAULT);
    this.hwQueue = preempted.hwQueue();
    this.queue = preempted.queue();
    this.command = command;
    this.ahead = ahead(window);
    this.random = new SplittableRandom(seed);
    queue.setLevel(level);
    queue.setWindow(window);
  }

  /**
   * Suspends so many times and returns how long each took.
   *
   * @param command time of one command
   */
  public static Samples run(
      DeviceModel model,
      Level level,
      LaunchWindow window,
      Duration command,
      int suspends,
      long seed) {
    return new PreemptionLatency(model, level, window, command, seed).run(suspends);
  }

  /** Commands kept submitted, so that the queue never runs dry. */
  private static int ahead(LaunchWindow window) {
    return window instanceof LaunchWindow.Fixed(int threshold, int _) ? 2 * threshold : 64;
  }

  private Samples run(int suspends) {
    for (int i = 0; i < ahead; i++) {
      submit();
    }
    // Longer than any window drains, so that each suspend finds the queue as the first one does.
    long longNanos = 2L * ahead * command.toNanos() + 1_000_000;
    for (int i = 0; i < suspends; i++) {
      simulation.run(Duration.ofNanos(longNanos + random.nextLong(longNanos)));
      latencies.add(suspendOnce(longNanos));
    }
    return latencies;
  }

  private long suspendOnce(long longNanos) {
    long called = simulation.loop().nowNanos();
    try {
      queue.suspend();
    } catch (InterruptedException e) {
      throw new IllegalStateException("a suspend without flags does not wait", e);
    }
    simulation.run(Duration.ofNanos(longNanos));
    long left = hwQueue.lastBusyNanos();
    queue.resume();
    return Math.max(0, left - called);
  }

  private void submit() {
    queue.submit(simulation.device().delay(command).onFinish(this::submit));
  }
}
