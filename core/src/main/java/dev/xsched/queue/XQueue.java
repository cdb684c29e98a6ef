package dev.xsched.queue;

import java.lang.System.Logger;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
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
  public record Stats(long submitted, long launched, int inFlight, double commandNanos) {}

  /** Stands in {@link #runnableSinceNanos} for a queue that does not want to run. */
  public static final long NOT_RUNNABLE = Long.MIN_VALUE;

  private static final int BY_USER = 1;
  private static final int BY_SCHEDULER = 2;
  private static final long NO_BARRIER = Long.MAX_VALUE;

  private final String name;
  private final HwQueue hwQueue;
  private final Syncer syncer;
  private final LongSupplier clock;
  private final Syncer.Following following = new Follower();
  private volatile Runnable listener = () -> {};
  private volatile long runnableSinceNanos = NOT_RUNNABLE;

  private final ReentrantLock switching = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by lock.
  private final Condition progress = lock.newCondition();
  private final CommandList commands = new CommandList();
  private final WindowMeter meter = new WindowMeter();
  private Level level;
  private int waiters;
  private int heldBy;
  private @Nullable Level stoppedAt;
  private long barrier = NO_BARRIER;
  private long launched;
  private int launchedSinceSyncPoint;
  private boolean followed;
  private boolean closed;
  private long readySinceNanos;
  private long busySinceNanos;

  /**
   * Makes a queue over a device's queue, which it owns from then on.
   *
   * @param clock nanoseconds from any origin
   */
  public XQueue(String name, HwQueue hwQueue, Syncer syncer, LongSupplier clock) {
    this.name = name;
    this.hwQueue = hwQueue;
    this.syncer = syncer;
    this.clock = clock;
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
      follow = launchWhatFits();
      if (turnedReady) {
        publishRunnable();
      }
    } finally {
      lock.unlock();
    }
    if (turnedReady) {
      listener.run();
    }
    if (follow) {
      syncer.follow(following);
    }
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
    lock.lock();
    try {
      awaitUntil(command::isFinished);
    } finally {
      lock.unlock();
    }
    Throwable failure = command.failure();
    if (failure != null) {
      throw new DeviceException("a command of queue %s failed".formatted(name), failure);
    }
  }

  /** Waits until all commands submitted before this call have finished. */
  public void waitAll() throws InterruptedException {
    lock.lock();
    try {
      long last = commands.submitted();
      awaitUntil(() -> commands.oldestSequence() > last);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops the queue at its level. When this returns, nothing is launched until {@link #resume}. A
   * queue that the user suspended before stays as it is.
   */
  public void suspend(Suspend... flags) throws InterruptedException {
    Set<Suspend> wanted = EnumSet.noneOf(Suspend.class);
    wanted.addAll(Set.of(flags));
    long lastLaunched;
    boolean follow = false;
    lock.lock();
    try {
      if (wanted.contains(Suspend.WAIT_IDLE)) {
        awaitFinished(NO_BARRIER - 1);
      } else if (wanted.contains(Suspend.WAIT_ALL)) {
        barrier = Math.min(barrier, commands.submitted());
        awaitFinished(barrier);
      }
      heldBy |= BY_USER;
      lastLaunched = commands.lastLaunchedSequence();
      publishRunnable();
    } finally {
      barrier = NO_BARRIER;
      follow = launchWhatFits(); // What the barrier held back, if the wait was interrupted.
      lock.unlock();
      if (follow) {
        syncer.follow(following);
      }
    }
    reconcile();
    listener.run();
    if (wanted.contains(Suspend.SYNC_HARDWARE)) {
      awaitHardware(lastLaunched);
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
        dropped = commands.dropPending();
        finish(dropped, Command.State.DROPPED);
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
    lock.lock();
    try {
      int before = heldBy;
      heldBy = run ? heldBy & ~BY_SCHEDULER : heldBy | BY_SCHEDULER;
      if (heldBy == before) {
        return;
      }
    } finally {
      lock.unlock();
    }
    reconcile();
  }

  public State query() {
    lock.lock();
    try {
      return commands.isEmpty() ? State.IDLE : State.READY;
    } finally {
      lock.unlock();
    }
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
    lock.lock();
    try {
      return level;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sets how suspends are carried out, from the next one on. Where the hardware lacks a level, the
   * next lower one that it has is used, and the answer says so.
   */
  public Negotiated setLevel(Level asked) {
    lock.lock();
    try {
      level = asked.atMost(hwQueue.levels());
      return new Negotiated(asked, level);
    } finally {
      lock.unlock();
    }
  }

  public LaunchWindow window() {
    lock.lock();
    try {
      return meter.window();
    } finally {
      lock.unlock();
    }
  }

  /** Changes the bound on work in flight. What is in flight beyond a smaller bound drains. */
  public void setWindow(LaunchWindow window) {
    boolean follow;
    lock.lock();
    try {
      meter.setWindow(window);
      follow = launchWhatFits();
    } finally {
      lock.unlock();
    }
    if (follow) {
      syncer.follow(following);
    }
  }

  public Stats stats() {
    lock.lock();
    try {
      return new Stats(commands.submitted(), launched, commands.inFlight(), meter.commandNanos());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops what is pending, lets the hardware finish what is in flight and the callbacks run, and
   * closes the hardware queue.
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
      dropped = commands.dropPending();
      finish(dropped, Command.State.DROPPED);
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
  private boolean launchWhatFits() {
    while (commands.hasPending()
        && heldBy == 0
        && stoppedAt == null
        && commands.inFlight() < meter.limit()
        && commands.nextSequence() <= barrier) {
      if (commands.inFlight() == 0) {
        busySinceNanos = clock.getAsLong();
      }
      launch(commands.launchNext());
    }
    if (followed || commands.inFlight() == 0 || stoppedAt != null) {
      return false;
    }
    followed = true;
    return true;
  }

  private void launch(Command command) {
    launched++;
    if (++launchedSinceSyncPoint >= meter.batch()) {
      command.syncPoint = true;
      launchedSinceSyncPoint = 0;
    }
    command.enter(Command.State.IN_FLIGHT);
    try {
      hwQueue.launch(command);
    } catch (RuntimeException e) {
      command.failure = e;
    }
  }

  /** Stops or starts the hardware queue, so that it agrees with who holds this queue. */
  private void reconcile() {
    boolean follow;
    switching.lock();
    try {
      Level stopAt = null;
      Level startFrom = null;
      lock.lock();
      try {
        if (heldBy == 0) {
          startFrom = stoppedAt;
        } else if (stoppedAt == null && level != Level.BLOCK) {
          stopAt = level;
          stoppedAt = level;
        }
      } finally {
        lock.unlock();
      }
      boolean runs =
          stopAt != null ? !stopHardware(stopAt) : startFrom != null && startHardware(startFrom);
      lock.lock();
      try {
        if (runs) {
          stoppedAt = null;
          // The time it stood still says nothing about its commands.
          busySinceNanos = clock.getAsLong();
        }
        follow = launchWhatFits();
      } finally {
        lock.unlock();
      }
    } finally {
      switching.unlock();
    }
    if (follow) {
      syncer.follow(following);
    }
  }

  /** A driver that refuses costs this queue its higher levels, never its user the program. */
  private boolean stopHardware(Level at) {
    try {
      if (at == Level.INTERRUPT) {
        hwQueue.interrupt();
      } else {
        hwQueue.deactivate();
      }
      return true;
    } catch (RuntimeException e) {
      warn("level %d failed on queue %s, level 1 is used".formatted(at.number(), name), e);
      setLevel(Level.BLOCK);
      return false;
    }
  }

  /** Whatever the driver says, the queue goes on: it is better to launch into it than to hang. */
  private boolean startHardware(Level from) {
    try {
      if (from == Level.INTERRUPT) {
        hwQueue.restore();
      } else {
        hwQueue.reactivate();
      }
    } catch (RuntimeException e) {
      warn("queue %s could not be started again".formatted(name), e);
    }
    return true;
  }

  private static void warn(String message, Throwable cause) {
    System.getLogger("dev.xsched").log(Logger.Level.WARNING, message, cause);
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

  /** Waits until the commands up to that sequence have finished or somebody else suspends. */
  private void awaitFinished(long last) throws InterruptedException {
    awaitUntil(() -> commands.oldestSequence() > last || (heldBy & BY_USER) != 0 || closed);
  }

  /** Waits until the hardware has left this queue, or somebody lets it run again. */
  private void awaitHardware(long lastLaunched) throws InterruptedException {
    lock.lock();
    try {
      awaitUntil(() -> heldBy == 0 || hardwareHasLeft(lastLaunched));
    } finally {
      lock.unlock();
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

  /** Moves a chain that has left the list to its final state. */
  private static int finish(@Nullable Command chain, Command.State state) {
    int count = 0;
    for (Command c = chain; c != null; c = c.next) {
      c.enter(c.failure == null ? state : Command.State.FAILED);
      count++;
    }
    return count;
  }

  private static void runCallbacks(@Nullable Command chain) {
    Command command = chain;
    while (command != null) {
      Command following = command.next;
      // A user may keep an old command: it must not keep all later ones from being collected.
      command.next = null;
      command.runCallback();
      command = following;
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
        boolean hadWork = !commands.isEmpty();
        finished = commands.retireThrough(synced != null && completed ? synced.sequence : 0);
        int count = finish(finished, Command.State.COMPLETED);
        if (synced != null && count > 0) {
          long now = clock.getAsLong();
          meter.measured(count, now - busySinceNanos);
          busySinceNanos = now;
        }
        launchWhatFits();
        turnedIdle = hadWork && commands.isEmpty();
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
      return nextTarget(synced != null && !completed);
    }

    private @Nullable Command nextTarget(boolean hardwareLeft) {
      lock.lock();
      try {
        Command target = hardwareLeft && stoppedAt != null ? null : commands.syncTarget();
        if (target == null) {
          followed = false;
          signalProgress();
        }
        return target;
      } finally {
        lock.unlock();
      }
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
