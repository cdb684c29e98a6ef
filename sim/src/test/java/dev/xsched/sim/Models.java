package dev.xsched.sim;

import dev.xsched.queue.Level;
import java.util.EnumSet;
import java.util.List;

/** Small models for tests: costs are zero unless a test asks for them. Times in nanoseconds. */
final class Models {
  static final NativeScheduler FIFO = new NativeScheduler.Fifo();
  static final NativeScheduler SHARING = new NativeScheduler.Sharing(1);

  private Models() {}

  static NativeScheduler roundRobin(long slice, long switchCost, boolean midCommand) {
    return new NativeScheduler.RoundRobin(slice, switchCost, midCommand);
  }

  static DeviceModel model(NativeScheduler scheduler, int commandsAtOnce) {
    return model(scheduler, commandsAtOnce, 0, 0);
  }

  static DeviceModel model(NativeScheduler scheduler, int commandsAtOnce, long launch, long sync) {
    return new DeviceModel(
        "test",
        "a test's device",
        EnumSet.allOf(Level.class),
        scheduler,
        commandsAtOnce,
        launch,
        sync,
        1.0,
        Cost.NONE,
        new Cost(5, 0),
        new Cost(7, 0),
        new TaskModel("a test's task", 0, 0, List.of(new TaskModel.Run(10, 100))));
  }
}
