package dev.xsched.cli.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.DeviceState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.policy.Hint;
import java.util.List;

/** A queue together with the program and the device that it belongs to. */
record QueueRow(ProgramState program, QueueState queue, String device) {
  static List<QueueRow> of(DaemonState state) {
    return state.programs().stream()
        .flatMap(p -> p.queues().stream().map(q -> new QueueRow(p, q, deviceName(state, q))))
        .toList();
  }

  private static String deviceName(DaemonState state, QueueState queue) {
    return state.devices().stream()
        .filter(d -> d.index() == queue.device())
        .map(DeviceState::name)
        .findFirst()
        .orElse("device " + queue.device());
  }

  /** The name by which a command can be told to change it. */
  String target() {
    return program.pid() + "/" + queue.slot();
  }

  /** The program's name; programs name themselves, so what could move a cursor is taken out. */
  String name() {
    return plain(program.name());
  }

  String user() {
    return plain(program.user());
  }

  /** The queue as a command can be told to change it, and its name if it has one. */
  String title() {
    return plain(queue.name().isEmpty() ? target() : target() + " " + queue.name());
  }

  String state() {
    return program.stopped() ? "stopped" : queue.state();
  }

  static String plain(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  HintState hint(Hint hint) {
    return queue.hints().getOrDefault(hint.label(), new HintState(null, "default"));
  }

  /** The value as people read it, "-" for none. */
  String hintText(Hint hint) {
    Long value = hint(hint).value();
    return value == null || value == Hint.UNSET ? "-" : HintValues.format(hint, value);
  }

  /** The value and, if somebody set it, who. */
  String hintWithSource(Hint hint) {
    String source = hint(hint).source();
    return hintText(hint) + (source.equals("default") ? "" : " (" + source + ")");
  }

  /** The level in use; in brackets the best that the queue has, where that was left to it. */
  String level() {
    return queue.level() == 0 ? "auto (%d)".formatted(bestLevel()) : String.valueOf(queue.level());
  }

  int bestLevel() {
    return queue.levels().stream().mapToInt(l -> l).max().orElse(1);
  }

  /** How long the GPU stays with it, "-" if that is the driver's business. */
  String slice() {
    return queue.sliceMicros() == 0 ? "-" : Units.time(1e3 * queue.sliceMicros());
  }

  String window() {
    return WindowOption.text(queue.windowMicros(), queue.windowCommands(), queue.windowBatch());
  }
}
