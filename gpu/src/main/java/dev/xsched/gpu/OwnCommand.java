package dev.xsched.gpu;

import dev.xsched.queue.Command;

/** Tells a driver's own commands from others. */
public final class OwnCommand {
  private OwnCommand() {}

  /**
   * Returns the command as what it is.
   *
   * @param queue who shall execute it, for messages: "an OpenCL queue"
   * @throws IllegalArgumentException if it is of another kind
   */
  public static <C extends Command> C of(Class<C> kind, Command command, String queue) {
    if (kind.isInstance(command)) {
      return kind.cast(command);
    }
    throw new IllegalArgumentException(
        "%s cannot execute a %s; make commands with kernels and buffers of its device"
            .formatted(queue, command.getClass().getSimpleName()));
  }
}
