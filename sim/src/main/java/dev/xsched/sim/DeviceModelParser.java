package dev.xsched.sim;

import dev.xsched.queue.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.tomlj.Toml;

/** Turns the text of a model file into a {@link DeviceModel}. The keys are in docs/models.md. */
final class DeviceModelParser {
  private static final int MAX_COMMANDS = 1_000_000;

  private DeviceModelParser() {}

  /**
   * Parses a model.
   *
   * @param name what the model is called from then on
   * @param file for messages
   */
  static DeviceModel parse(String name, String file, String text) {
    StrictToml toml = new StrictToml(file, Toml.parse(text));
    Set<Level> levels = EnumSet.noneOf(Level.class);
    for (long number : toml.integers("levels", 1, 3)) {
      levels.add(Level.of((int) number));
    }
    if (!levels.contains(Level.BLOCK)) {
      throw toml.wrong("levels", "a list that contains 1: every device can launch and sync");
    }
    boolean deactivates = levels.contains(Level.DEACTIVATE);
    boolean interrupts = levels.contains(Level.INTERRUPT);
    DeviceModel model =
        new DeviceModel(
            name,
            toml.text("title"),
            levels,
            scheduler(toml.table("scheduler")),
            toml.integer("commands_at_once", 1, 1024),
            toml.nanos("launch_us", 0),
            toml.nanos("sync_us", 0),
            toml.number("delay_scale", 0.1, 10),
            deactivates ? cost(toml.table("deactivate")) : Cost.NONE,
            interrupts ? cost(toml.table("interrupt")) : Cost.NONE,
            interrupts ? cost(toml.table("restore")) : Cost.NONE,
            task(toml.table("task")));
    toml.rejectOthers();
    return model;
  }

  private static NativeScheduler scheduler(StrictToml toml) {
    String kind = toml.text("kind");
    NativeScheduler scheduler =
        switch (kind) {
          case "fifo" -> new NativeScheduler.Fifo();
          case "round-robin" ->
              new NativeScheduler.RoundRobin(
                  toml.nanos("slice_us", 1), toml.nanos("switch_us", 0), toml.flag("mid_command"));
          case "sharing" -> new NativeScheduler.Sharing(toml.number("gain", 0.1, 10));
          default -> throw toml.wrong("kind", "one of fifo, round-robin, sharing");
        };
    toml.rejectOthers();
    return scheduler;
  }

  private static Cost cost(StrictToml toml) {
    Cost cost = new Cost(toml.nanos("base_us", 0), toml.nanos("tail_us", 0));
    toml.rejectOthers();
    return cost;
  }

  private static TaskModel task(StrictToml toml) {
    List<TaskModel.Run> commands = toml.tables("commands").stream().map(r -> run(r)).toList();
    TaskModel task =
        new TaskModel(
            toml.text("title"), toml.nanos("host_us", 0), toml.number("jitter", 0, 1), commands);
    toml.rejectOthers();
    return task;
  }

  private static TaskModel.Run run(StrictToml toml) {
    TaskModel.Run run =
        new TaskModel.Run(toml.integer("count", 1, MAX_COMMANDS), toml.nanos("us", 0.001));
    toml.rejectOthers();
    return run;
  }
}
