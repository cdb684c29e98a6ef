package dev.xsched.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device queue and its syncer in the test's own hand: commands complete when the test says so.
 */
final class ManualDevice implements HwQueue, Syncer {
  final List<Command> launched = new ArrayList<>();
  final List<String> calls = new ArrayList<>();
  private final Set<Level> levels;
  private @Nullable Following following;
  private @Nullable Command target;
  @Nullable RuntimeException refusal;

  ManualDevice(Level... levels) {
    this.levels = Set.of(levels);
  }

  /** The command that the queue waits for, or null if it waits for none. */
  @Nullable Command target() {
    return target;
  }

  /** Completes everything up to the command that the queue waits for. */
  void completeTarget() {
    advance(true);
  }

  /** Tells the queue that the hardware has left it with its target unfinished. */
  void leave() {
    advance(false);
  }

  /** Breaks while the queue waits. */
  void failTarget(Throwable cause) {
    Following queue = followed();
    if (target != null) {
      queue.failed(target, cause);
    }
    target = queue.advance(null, false);
  }

  /** Completes all there is and all that follows from it. */
  void completeAll() {
    while (target != null) {
      completeTarget();
    }
  }

  private void advance(boolean completed) {
    target = followed().advance(target, completed);
  }

  private Following followed() {
    if (following == null) {
      throw new AssertionError("the queue is not followed");
    }
    return following;
  }

  @Override
  public void follow(Following queue) {
    following = queue;
    target = queue.advance(null, false);
  }

  @Override
  public Set<Level> levels() {
    return levels;
  }

  @Override
  public void launch(Command command) {
    refuse();
    launched.add(command);
  }

  @Override
  public boolean sync(Command command) {
    throw new AssertionError("this device calls back");
  }

  @Override
  public void deactivate() {
    refuse();
    calls.add("deactivate");
  }

  @Override
  public void reactivate() {
    refuse();
    calls.add("reactivate");
  }

  @Override
  public void interrupt() {
    refuse();
    calls.add("interrupt");
  }

  @Override
  public void restore() {
    refuse();
    calls.add("restore");
  }

  @Override
  public void close() {
    calls.add("close");
  }

  private void refuse() {
    if (refusal != null) {
      throw refusal;
    }
  }
}
