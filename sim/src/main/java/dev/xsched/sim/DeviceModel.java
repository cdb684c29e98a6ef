package dev.xsched.sim;

import dev.xsched.queue.Level;
import java.util.Set;

/**
 * All that the virtual XPU knows of a real device. One model serves every experiment: what differs
 * between two figures is the experiment, never the device.
 *
 * @param name as in {@code sim:NAME}
 * @param title what it is, for people
 * @param levels what its queues can do
 * @param scheduler who is next
 * @param commandsAtOnce the most commands that run side by side
 * @param launchNanos host time to hand over one command; the next one waits for it
 * @param syncNanos from a completion until the host knows of it
 * @param delayScale how much longer a delay command takes than was asked for
 * @param deactivate from the call until no further command of the queue starts
 * @param interrupt from the call until the device has left the queue; the command runs on meanwhile
 * @param restore from the call until the command runs again
 * @param task the task it was measured with
 */
public record DeviceModel(
    String name,
    String title,
    Set<Level> levels,
    NativeScheduler scheduler,
    int commandsAtOnce,
    long launchNanos,
    long syncNanos,
    double delayScale,
    Cost deactivate,
    Cost interrupt,
    Cost restore,
    TaskModel task) {
  public DeviceModel {
    levels = Set.copyOf(levels);
  }

  /** Returns this model with another task. */
  public DeviceModel withTask(TaskModel newTask) {
    return new DeviceModel(
        name,
        title,
        levels,
        scheduler,
        commandsAtOnce,
        launchNanos,
        syncNanos,
        delayScale,
        deactivate,
        interrupt,
        restore,
        newTask);
  }
}
