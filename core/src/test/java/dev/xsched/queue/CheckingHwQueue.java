package dev.xsched.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A device queue that takes no time and watches its caller. Commands make progress only while
 * somebody syncs, and now and then by chance at a launch, so that windows really fill up.
 */
final class CheckingHwQueue implements HwQueue {
  private final Random random;
  private final Random yields;
  private final List<Command> launched = new ArrayList<>();
  private int completed;
  private boolean stopped;
  private boolean running; // The command that a deactivation lets end.
  private boolean syncing;
  private int allowedInFlight = Integer.MAX_VALUE;
  private int forbiddenBy;
  private @Nullable AssertionError violation;

  CheckingHwQueue(long seed) {
    random = new Random(seed);
    yields = new Random(seed);
  }

  @Override
  public Set<Level> levels() {
    return Set.of(Level.BLOCK, Level.DEACTIVATE, Level.INTERRUPT);
  }

  @Override
  public synchronized void launch(Command command) {
    if (!launched.isEmpty() && launched.getLast().sequence() >= command.sequence()) {
      violated("launched %d after %d".formatted(command.sequence(), launched.getLast().sequence()));
    }
    if (forbiddenBy != 0) {
      violated("launched %d after suspend had returned".formatted(command.sequence()));
    }
    launched.add(command);
    if (inFlight() > allowedInFlight) {
      violated("%d in flight, window allows %d".formatted(inFlight(), allowedInFlight));
    }
    if (!stopped && random.nextInt(8) == 0) {
      completed++;
    }
  }

  @Override
  @SuppressWarnings("ThreadPriorityCheck") // Lets others in: a launch, a suspend.
  public boolean sync(Command command) {
    beginSync();
    try {
      while (true) {
        synchronized (this) {
          if (completed == launched.size()
              || launched.get(completed).sequence() > command.sequence()) {
            return true;
          }
          if (stopped && !running) {
            return false;
          }
          running = false;
          completed++;
        }
        if (yields.nextInt(4) == 0) {
          Thread.yield();
        }
      }
    } finally {
      endSync();
    }
  }

  private synchronized void beginSync() {
    if (syncing) {
      violated("two threads sync at once");
    }
    syncing = true;
  }

  private synchronized void endSync() {
    syncing = false;
  }

  @Override
  public synchronized void deactivate() {
    stop(true);
    running = inFlight() > 0;
  }

  @Override
  public synchronized void reactivate() {
    stop(false);
    running = false;
  }

  @Override
  public void interrupt() {
    stop(true);
  }

  @Override
  public void restore() {
    stop(false);
  }

  private synchronized void stop(boolean on) {
    if (stopped == on) {
      violated(on ? "stopped twice" : "started twice");
    }
    stopped = on;
  }

  /** From now on a launch with more in flight is a violation. */
  synchronized void allowInFlight(int most) {
    allowedInFlight = most;
  }

  /** From now on any launch is a violation, until everybody who forbade it allows it again. */
  synchronized void forbidLaunches(int who, boolean forbid) {
    forbiddenBy = forbid ? forbiddenBy | who : forbiddenBy & ~who;
  }

  synchronized boolean works() {
    return running || (!stopped && inFlight() > 0);
  }

  synchronized boolean completed(Command command) {
    return launched.subList(0, completed).contains(command);
  }

  synchronized List<Command> launched() {
    return List.copyOf(launched);
  }

  synchronized void rethrowViolation() {
    if (violation != null) {
      throw violation;
    }
  }

  private int inFlight() {
    return launched.size() - completed;
  }

  private void violated(String what) {
    if (violation == null) {
      violation = new AssertionError(what);
    }
  }
}
