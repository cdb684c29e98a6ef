package dev.xsched.cli.demo;

import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.XQueue;
import dev.xsched.scheduler.LocalScheduler;
import java.util.List;

/** The way of a task's commands to the device. */
sealed interface Route extends AutoCloseable {
  /** Hands over all commands and returns when the last one has completed. */
  void run(List<Command> commands) throws InterruptedException;

  @Override
  void close();

  /** Without XSched: everything goes to the device at once, and its own scheduler decides. */
  record Native(HwQueue queue) implements Route {
    static Native on(Device device) {
      return new Native(device.newHwQueue());
    }

    @Override
    public void run(List<Command> commands) throws InterruptedException {
      commands.forEach(queue::launch);
      queue.sync(commands.getLast());
    }

    @Override
    public void close() {
      queue.close();
    }
  }

  /** Through a queue that XSched schedules. */
  record Scheduled(LocalScheduler scheduler, XQueue queue) implements Route {
    @Override
    public void run(List<Command> commands) throws InterruptedException {
      commands.forEach(queue::submit);
      queue.wait(commands.getLast());
    }

    @Override
    public void close() {
      scheduler.close(queue);
    }
  }
}
