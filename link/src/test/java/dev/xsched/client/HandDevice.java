package dev.xsched.client;

import dev.xsched.queue.Command;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.Level;
import dev.xsched.queue.Syncer;
import dev.xsched.queue.ThreadSyncer;
import dev.xsched.queue.XQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A device whose commands complete when the test lets them. */
final class HandDevice implements Device {
  private final ThreadSyncer syncer = new ThreadSyncer();
  private final Queue<HandCommand> launched = new ConcurrentLinkedQueue<>();
  private volatile boolean released;

  /** Lets everything complete at the end of a test, also of one that failed. */
  interface Release extends AutoCloseable {
    @Override
    void close();
  }

  /** Completes all commands, also those to come. */
  void release() {
    released = true;
    launched.forEach(HandCommand::complete);
  }

  /** A command that completes by hand. */
  static final class HandCommand extends Command {
    private final CountDownLatch done = new CountDownLatch(1);

    void complete() {
      done.countDown();
    }
  }

  static List<HandCommand> submit(XQueue queue, int count) {
    List<HandCommand> commands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HandCommand command = new HandCommand();
      commands.add(command);
      queue.submit(command);
    }
    return commands;
  }

  /** Completes what is in flight and waits until the queue has noticed. */
  static void completeInFlight(List<HandCommand> commands) {
    List<HandCommand> inFlight =
        commands.stream().filter(c -> c.state() == Command.State.IN_FLIGHT).toList();
    inFlight.forEach(HandCommand::complete);
    Conditions.await(
        "commands in flight to complete", () -> inFlight.stream().allMatch(Command::isFinished));
  }

  @Override
  public String name() {
    return "a device in the hand";
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public HwQueue newHwQueue() {
    return new HwQueue() {
      @Override
      public Set<Level> levels() {
        return Set.of(Level.BLOCK);
      }

      @Override
      public void launch(Command command) {
        launched.add((HandCommand) command);
        if (released) {
          release();
        }
      }

      @Override
      public boolean sync(Command command) throws InterruptedException {
        ((HandCommand) command).done.await();
        return true;
      }
    };
  }

  @Override
  public Syncer syncer() {
    return syncer;
  }

  @Override
  public Command delay(Duration time) {
    return new HandCommand();
  }

  @Override
  public void close() {
    syncer.close();
  }
}
