package dev.xsched.sim;

import dev.xsched.policy.Hints;
import dev.xsched.queue.LaunchWindow;
import dev.xsched.queue.Level;

/**
 * A program that uses the device.
 *
 * @param name for reports
 * @param task what it asks of the device, time and again
 * @param arrivals when it does
 * @param hints what it tells the scheduler; without one they have no effect, nor have those below
 * @param level how its queue is suspended
 * @param window how much of its work is in flight
 */
public record ClientSpec(
    String name,
    TaskModel task,
    Arrivals arrivals,
    Hints hints,
    Level level,
    LaunchWindow window) {}
