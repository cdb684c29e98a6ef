package dev.xsched.sim.experiment;

import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;
import java.time.Duration;

/**
 * What the people who measured chose, as opposed to what the device is.
 *
 * @param foregroundWindow how much the foreground keeps in flight
 * @param backgroundWindow how much the background keeps in flight
 * @param level how queues are suspended
 * @param timeslice for policies that know one
 * @param oneWay from a program to the scheduler and from there to a program
 */
public record Setup(
    LaunchWindow foregroundWindow,
    LaunchWindow backgroundWindow,
    Level level,
    Duration timeslice,
    Duration oneWay) {
  /**
   * The paper's scheduler is a daemon that is reached over a message queue. One number for all
   * devices, since it has nothing to do with them. Assumed; docs/models.md says what depends on it.
   */
  public static final Duration PAPER_ONE_WAY = Duration.ofNanos(40_000);

  /** What one has without a choice. */
  public static final Setup DEFAULT =
      new Setup(
          new LaunchWindow.Fixed(16, 8),
          new LaunchWindow.Fixed(16, 8),
          Level.BLOCK,
          Duration.ofMillis(5),
          PAPER_ONE_WAY);
}
