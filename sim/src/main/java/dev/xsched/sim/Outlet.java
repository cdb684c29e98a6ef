package dev.xsched.sim;

import dev.xsched.queue.Command;
import dev.xsched.queue.XQueue;

/** Where a client's commands go: into a scheduled queue, or straight to the device. */
sealed interface Outlet {
  /** Sends a command on; at the last one of a task, tells when the task has ended. */
  void send(Command command);

  void sendLast(Command command, Runnable whenDone);

  record Scheduled(XQueue queue) implements Outlet {
    @Override
    public void send(Command command) {
      queue.submit(command);
    }

    @Override
    public void sendLast(Command command, Runnable whenDone) {
      queue.submit(command.onFinish(whenDone));
    }
  }

  record Native(VirtualQueue queue) implements Outlet {
    @Override
    public void send(Command command) {
      queue.launch(command);
    }

    @Override
    public void sendLast(Command command, Runnable whenDone) {
      queue.launch(command);
      queue.watch(command, _ -> whenDone.run());
    }
  }
}
