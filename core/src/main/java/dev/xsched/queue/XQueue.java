package dev.xsched.queue;

import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A preemptible command queue: what a thread is to a CPU.
 *
 * <h2>Progressive launching</h2>
 *
 * Commands are launched in order while the queue is open and the {@link LaunchWindow} has room: by
 * the submitting thread if it finds both, else by whoever learns that earlier commands completed.
 * No thread is woken per command. Completions are learned at sync points, one per batch, and at the
 * last command; so a full window goes on when about half of it has completed.
 *
 * <h2>Suspension</h2>
 *
 * The user and the scheduler hold the queue independently of each other; it is open while neither
 * does. Level 1 stops launching. Levels 2 and 3 stop the hardware queue, too, outside of the
 * queue's lock because a driver may take a millisecond: flags change under {@code lock}, then
 * {@link #reconcile} brings the hardware in line under {@code switching}. Each change of a flag is
 * followed by a reconciliation, so the last one leaves both in agreement.
 *
 * <h2>Locks</h2>
 *
 * {@code switching} is taken before {@code lock}. Callbacks and the listener run under neither.
 * Completions are reported by one follower at a time, see {@link Syncer}.
 */
public final class XQueue implements AutoCloseable {
  /** Whether the queue holds commands that have not completed. */
  public enum State {
    IDLE,
    READY
  }

  /** What a suspend waits for. */
  public enum Suspend {
    /** Returns only when the hardware no longer works for this queue. */
    SYNC_HARDWARE,
    /** First lets every command complete that was submitted before the call. */
    WAIT_ALL,
    /** First lets the queue run idle, including what is submitted while waiting. */
    WAIT_IDLE
  }

  /** How to resume. */
  public enum Resume {
    /** Throws away the commands that are pending. */
    DROP
  }

  /** What {@link #setLevel} settled on. */
  public record Negotiated(Level asked, Level given) {
    @Override
    public String toString() {
      return asked == given
          ? "level %d".formatted(given.number())
          : "level %d is not available on this queue; level %d is used"
              .formatted(asked.number(), given.number());
    }
  }

  /** What the queue has counted. */
  public record Stats(
      long submitted, long launched, int inFlight, double commandNanos, long busyNanos) {
    /** Commands that are not on their way any more. */
    public long completed() {
      return launched - inFlight;
    }
  }

  /** Stands in {@link #runnableSinceNanos} for a queue that does not want to run. */
  public static final long NOT_RUNNABLE = Long.MIN_VALUE;

  private static final long MOVING = Long.MIN_VALUE;
  private static final int BY_USER = 1;
  private static final int BY_SCHEDULER = 2;

  private final String name;
  private final HwQueue hwQueue;
  private final HwSwitch hwSwitch;
  private final Syncer syncer;
  private final LongSupplier clock;
  private final Syncer.Following following = new Follower();
  private volatile Runnable listener = () -> {};
  private volatile long runnableSinceNanos = NOT_RUNNABLE;

  private final ReentrantLock switching = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Condition progress = lock.newCondition();
  private final ProgressiveLauncher launcher;
  private final CommandList commands;
  private Level level;
  private int waiters;
  private int heldBy;
  private @Nullable Level stoppedAt;
  private boolean followed;
  private boolean closed;
  private long readySinceNanos;

  /** Since when the hardware stands still with commands in flight. */
  private long stillSinceNanos = MOVING;

  /**
   * Makes a queue over a device's queue, which it owns from then on.
   *
   * @param clock nanoseconds from any origin
   */
  public XQueue(String name, HwQueue hwQueue, Syncer syncer, LongSupplier clock) {
    this.name = name;
    this.hwQueue = hwQueue;
    this.hwSwitch = new HwSwitch(name, hwQueue);
    this.syncer = syncer;
    this.clock = clock;
    this.launcher = new ProgressiveLauncher(hwQueue, clock);
    this.commands = launcher.commands();
    this.level = Level.INTERRUPT.atMost(hwQueue.levels());
  }

  public String name() {
    return name;
  }

  /** Adds a command at the end. Never waits for the device. */
  public void submit(Command command) {
    boolean follow;
    boolean turnedReady;
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("queue %s is closed".formatted(name));
      }
      if (command.state() != Command.State.CREATED) {
        throw new IllegalStateException("a command can be submitted only once; make a new one");
      }
      turnedReady = commands.isEmpty();
      if (turnedReady) {
        readySinceNanos = clock.getAsLong();
      }
      command.owner = this;
      command.enter(Command.State.PENDING);
      commands.append(command);
      follow = launch();
      if (turnedReady) {
        publishRunnable();
      }
    } finally {
      lock.unlock();
    }
    if (turnedReady) {
      listener.run();
    }
    followIf(follow);
  }

  /**
   * Waits until a command of this queue has completed or was dropped.
   *
   * @throws DeviceException if the device failed to execute it
   */
  public void wait(Command command) throws InterruptedException {
    if (command.owner != this) {
      throw new IllegalArgumentException(
          "this command was not submitted to queue %s; wait at the queue that has it"
              .formatted(name));
    }
    awaitLocked(command::isFinished);
    Throwable failure = command.failure();
    if (failure != null) {
      throw new DeviceException("a command of queue %s failed".formatted(name), failure);
    }
  }

  /** Waits until all commands submitted before this call have finished. */
  public void waitAll() throws InterruptedException {
    long last = locked(commands::submitted);
    awaitLocked(() -> commands.oldestSequence() > last);
  }

  /**
   * Stops the queue at its level. When this returns, nothing is launched until {@link #resume}. A
   * queue that the user suspended before stays as it is.
   */
  public void suspend(Suspend... flags) throws InterruptedException {
    Set<Suspend> wanted = Set.of(flags);
    long lastLaunched;
    boolean follow = false;
    lock.lock();
    try {
      if (wanted.contains(Suspend.WAIT_IDLE)) {
        awaitUntil(() -> commands.isEmpty() || (heldBy & BY_USER) != 0 || closed);
      } else if (wanted.contains(Suspend.WAIT_ALL)) {
        long last = Math.min(launcher.barrier(), commands.submitted());
        launcher.setBarrier(last);
        awaitUntil(() -> commands.oldestSequence() > last || (heldBy & BY_USER) != 0 || closed);
      }
      heldBy |= BY_USER;
      lastLaunched = commands.lastLaunchedSequence();
      publishRunnable();
    } finally {
      launcher.setBarrier(ProgressiveLauncher.NO_BARRIER);
      follow = launch(); // What the barrier held back, if the wait was interrupted.
      lock.unlock();
      followIf(follow);
    }
    reconcile();
    listener.run();
    if (wanted.contains(Suspend.SYNC_HARDWARE)) {
      awaitLocked(() -> heldBy == 0 || hardwareHasLeft(lastLaunched));
    }
  }

  /** Lets a queue run again that the user suspended; else does nothing. */
  public void resume(Resume... flags) {
    Command dropped = null;
    lock.lock();
    try {
      if ((heldBy & BY_USER) == 0) {
        return;
      }
      heldBy &= ~BY_USER;
      if (Set.of(flags).contains(Resume.DROP)) {
        dropped = launcher.dropPending();
      }
      publishRunnable();
    } finally {
      lock.unlock();
    }
    reconcile();
    listener.run();
    runCallbacks(dropped);
  }

  /** Carries out a scheduler's order, beside what the user did by suspend and resume. */
  public void order(boolean run) {
    boolean changed =
        locked(
            () -> {
              int before = heldBy;
              heldBy = run ? heldBy & ~BY_SCHEDULER : heldBy | BY_SCHEDULER;
              return heldBy != before;
            });
    if (changed) {
      reconcile();
    }
  }

  public State query() {
    return locked(() -> commands.isEmpty() ? State.IDLE : State.READY);
  }

  /**
   * Returns since when the queue wants to run: it is ready and its user did not suspend it. {@link
   * #NOT_RUNNABLE} if it does not.
   */
  public long runnableSinceNanos() {
    return runnableSinceNanos;
  }

  /**
   * Has this run after each change of {@link #runnableSinceNanos}, on the thread that caused it.
   */
  public void onRunnableChange(Runnable newListener) {
    listener = newListener;
  }

  public Level level() {
    return locked(() -> level);
  }

  /**
   * Sets how suspends are carried out, from the next one on. Where the hardware lacks a level, the
   * next lower one that it has is used, and the answer says so.
   */
  public Negotiated setLevel(Level asked) {
    return locked(
        () -> {
          level = asked.atMost(hwQueue.levels());
          return new Negotiated(asked, level);
        });
  }

  public LaunchWindow window() {
    return locked(() -> launcher.meter().window());
  }

  /** Changes the bound on work in flight. What is in flight beyond a smaller bound drains. */
  public void setWindow(LaunchWindow window) {
    followIf(
        locked(
            () -> {
              launcher.meter().setWindow(window);
              return launch();
            }));
  }

  public Stats stats() {
    return locked(
        () ->
            new Stats(
                commands.submitted(),
                launcher.launched(),
                commands.inFlight(),
                launcher.meter().commandNanos(),
                launcher.meter().busyNanos()));
  }

  /** Has each launch ask there first, beside what the user and the scheduler did. */
  public void setLaunchGate(LaunchGate gate) {
    followIf(
        locked(
            () -> {
              launcher.setGate(gate);
              return launch();
            }));
  }

  /** Launches what a {@link LaunchGate} held back, if it is open now. */
  public void recheck() {
    followIf(locked(this::launch));
  }

  /**
   * Drops what is pending, lets the hardware finish what is in flight and the callbacks run, and
   * closes the hardware queue. From then on neither a suspend nor an order stops it.
   */
  @Override
  public void close() {
    Command dropped;
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      heldBy = 0;
      dropped = launcher.dropPending();
      publishRunnable();
    } finally {
      lock.unlock();
    }
    reconcile();
    listener.run();
    runCallbacks(dropped);
    lock.lock();
    try {
      waiters++;
      while (!commands.isEmpty() || followed) {
        progress.awaitUninterruptibly();
      }
      waiters--;
    } finally {
      lock.unlock();
    }
    hwQueue.close();
  }

  /** Launches while the queue is open and the window has room. Returns whether to follow it now. */
  private boolean launch() {
    if (stoppedAt != null) {
      return false;
    }
    if (heldBy == 0) {
      launcher.launchWhatFits();
    }
    if (followed || commands.inFlight() == 0) {
      return false;
    }
    followed = true;
    return true;
  }

  private void followIf(boolean follow) {
    if (follow) {
      syncer.follow(following);
    }
  }

  /** Stops or starts the hardware queue, so that it agrees with who holds this queue. */
  private void reconcile() {
    boolean follow;
    switching.lock();
    try {
      Level before = locked(() -> stoppedAt);
      Level after = locked(this::agreedStop);
      if (before == null && after != null) {
        boolean stopped = hwSwitch.stop(after);
        follow = locked(() -> stopped ? standsStill(after) : runsAgain(Level.BLOCK));
      } else if (before != null && after == null) {
        hwSwitch.start(before);
        follow = locked(() -> runsAgain(level));
      } else {
        follow = locked(this::launch);
      }
    } finally {
      switching.unlock();
    }
    followIf(follow);
  }

  /** Returns at which level the hardware should stand still, or null if it should run. */
  private @Nullable Level agreedStop() {
    if (heldBy == 0 || closed) { // Nobody would start it again, and close waits for what runs.
      return null;
    }
    if (stoppedAt == null && level != Level.BLOCK) {
      stoppedAt = level; // From here on nothing is launched into a queue about to stop.
    }
    return stoppedAt;
  }

  /** At level 2 the command that runs still ends; the follower learns when. */
  private boolean standsStill(Level at) {
    if (at == Level.INTERRUPT) {
      stillSinceNanos = clock.getAsLong();
    }
    return false;
  }

  private boolean runsAgain(Level levelFromNowOn) {
    stoppedAt = null;
    level = levelFromNowOn;
    if (stillSinceNanos != MOVING) {
      launcher.stoodStill(clock.getAsLong() - stillSinceNanos);
      stillSinceNanos = MOVING;
    }
    return launch();
  }

  private <T extends @Nullable Object> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private void awaitLocked(BooleanSupplier condition) throws InterruptedException {
    lock.lock();
    try {
      awaitUntil(condition);
    } finally {
      lock.unlock();
    }
  }

  private void awaitUntil(BooleanSupplier condition) throws InterruptedException {
    waiters++;
    try {
      while (!condition.getAsBoolean()) {
        progress.await();
      }
    } finally {
      waiters--;
    }
  }

  private boolean hardwareHasLeft(long lastLaunched) {
    if (stoppedAt == Level.INTERRUPT) {
      return true; // The interrupt returned when the command was off.
    }
    if (stoppedAt == Level.DEACTIVATE) {
      return !followed; // The follower gives up when the hardware has left.
    }
    return commands.inFlight() == 0 || commands.oldestSequence() > lastLaunched;
  }

  private void publishRunnable() {
    runnableSinceNanos =
        commands.isEmpty() || (heldBy & BY_USER) != 0 ? NOT_RUNNABLE : readySinceNanos;
    signalProgress();
  }

  private void signalProgress() {
    if (waiters > 0) {
      progress.signalAll();
    }
  }

  private static void runCallbacks(@Nullable Command chain) {
    Command command = chain;
    while (command != null) {
      Command rest = command.next;
      // A user may keep an old command: it must not keep all later ones from being collected.
      command.next = null;
      command.runCallback();
      command = rest;
    }
  }

  private final class Follower implements Syncer.Following {
    @Override
    public HwQueue hwQueue() {
      return hwQueue;
    }

    @Override
    public @Nullable Command advance(@Nullable Command synced, boolean completed) {
      Command finished;
      boolean turnedIdle;
      lock.lock();
      try {
        boolean shared = heldBy != 0 && stoppedAt == null;
        finished = launcher.completed(completed ? synced : null, shared);
        launch();
        turnedIdle = finished != null && commands.isEmpty();
        if (turnedIdle) {
          publishRunnable();
        } else if (finished != null) {
          signalProgress();
        }
      } finally {
        lock.unlock();
      }
      // Before the next target is named: so callbacks run in order, from one thread at a time.
      runCallbacks(finished);
      if (turnedIdle) {
        listener.run();
      }
      boolean hardwareLeft = synced != null && !completed;
      return locked(() -> nextTarget(hardwareLeft));
    }

    private @Nullable Command nextTarget(boolean hardwareLeft) {
      Command target = hardwareLeft && stoppedAt != null ? null : commands.syncTarget();
      if (target == null) {
        if (hardwareLeft && stoppedAt == Level.DEACTIVATE) {
          stillSinceNanos = clock.getAsLong();
        }
        followed = false;
        launcher.stopped();
        signalProgress();
      }
      return target;
    }

    @Override
    public void failed(Command target, Throwable cause) {
      lock.lock();
      try {
        commands.failThrough(target.sequence, cause);
      } finally {
        lock.unlock();
      }
    }
  }
}
