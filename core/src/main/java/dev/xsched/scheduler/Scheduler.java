package dev.xsched.scheduler;

import dev.xsched.policy.Decision;
import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import dev.xsched.queue.XQueue;
import java.lang.System.Logger;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the facts about all queues, asks the policy, and has its decisions carried out. Facts are
 * only recorded; {@link #decide} then acts on all of them at once.
 *
 * <p>It has no thread, no clock and no timer of its own, so the daemon, a program's own scheduler
 * and the simulator use this very class. Not thread-safe: one caller at a time.
 *
 * <p>A policy that throws, or whose decision does not fit the snapshot, is switched off until it is
 * replaced, and every queue runs.
 */
public final class Scheduler {
  /**
   * Carries out what was decided, and knows what the queues did. Called only for queues whose order
   * changes.
   */
  @FunctionalInterface
  public interface Orders {
    void order(long queueId, boolean run);

    /** Tells how many commands of a queue have completed. Asked only for those with a goal. */
    default long completed(long queueId) {
      return 0;
    }

    /** Tells how long its program waited for the device, where that is known. Asked likewise. */
    default long waitedNanos(long queueId) {
      return 0;
    }

    /** Tells whether it waits for the device now. Asked likewise. */
    default boolean awaited(long queueId) {
      return false;
    }

    /** Tells what the device has of a queue's commands. Asked right after it was stopped. */
    default Work work(long queueId) {
      return Work.UNKNOWN;
    }

    /**
     * Told after the orders of each decision, for those who act on ranks themselves.
     *
     * @param ranking what the policy promises, or null
     * @param queues what the policy saw; the ranks speak of these
     */
    default void decided(Decision.@Nullable Ranking ranking, List<QueueView> queues) {}
  }

  /**
   * What a device has of a queue's commands.
   *
   * @param completed how many it has executed
   * @param leaving how many more it executes if the queue is stopped now
   * @param commandNanos how long one of them takes
   */
  public record Work(long completed, long leaving, long commandNanos) {
    /** Of a queue that nothing is known of: it leaves nothing behind. */
    public static final Work UNKNOWN = new Work(0, 0, 0);

    public static Work of(@Nullable XQueue queue) {
      if (queue == null) {
        return UNKNOWN;
      }
      XQueue.Stats stats = queue.stats();
      int leaving =
          switch (queue.level()) {
            case BLOCK -> stats.inFlight();
            case DEACTIVATE -> Math.min(1, stats.inFlight());
            case INTERRUPT -> 0;
          };
      return new Work(stats.completed(), leaving, (long) stats.commandNanos());
    }
  }

  /** Calls {@link Scheduler#decide} at a later time. */
  @FunctionalInterface
  public interface Timer {
    /** Replaces what was asked before; {@link Decision#NEVER} asks for nothing. */
    void arm(long atNanos);
  }

  private final LongSupplier clock;
  private final Timer timer;
  private final Orders orders;
  private final Map<Long, Integer> indexOfQueue = new HashMap<>();
  private final Map<Long, GoalState> goals = new HashMap<>();
  private final BitSet processSlots = new BitSet();
  private final Backlogs backlogs = new Backlogs();

  private QueueView[] views = new QueueView[16];
  private int size;
  private int devices;
  private long lastProcessId;
  private Hints system = Hints.DEFAULT;
  private BitSet slicing = new BitSet();
  private Policy policy;
  private @Nullable Object memory;
  private boolean policyBroken;
  private long armedNanos = Decision.NEVER;
  private long decidedNanos;
  private long patienceNanos = Long.MAX_VALUE;

  public Scheduler(Policy policy, LongSupplier clock, Timer timer, Orders orders) {
    this.policy = policy;
    this.clock = clock;
    this.timer = timer;
    this.orders = orders;
  }

  public Policy policy() {
    return policy;
  }

  /** Changes the policy; what the old one remembered is forgotten. */
  public void setPolicy(Policy newPolicy) {
    policy = newPolicy;
    policyBroken = false;
    memory = null;
    for (int i = 0; i < size; i++) {
      views[i] = withMemory(views[i], null);
    }
  }

  public ProcessView addProcess(long pid, int nice) {
    int slot = processSlots.nextClearBit(0);
    processSlots.set(slot);
    return new ProcessView(++lastProcessId, slot, pid, nice);
  }

  /** Forgets a process and all queues that it left. */
  public void removeProcess(ProcessView process) {
    for (int i = size - 1; i >= 0; i--) {
      if (views[i].process().id() == process.id()) {
        removeQueue(views[i].id());
      }
    }
    processSlots.clear(process.slot());
  }

  /**
   * Adds an idle queue whose gate is open.
   *
   * @param queueId chosen by the caller, never used before
   * @param device small and dense, see {@link QueueView#device}
   */
  public void addQueue(long queueId, int device, ProcessView process, Hints hints) {
    if (indexOfQueue.putIfAbsent(queueId, size) != null) {
      throw new IllegalArgumentException("queue %d is known already".formatted(queueId));
    }
    if (size == views.length) {
      views = Arrays.copyOf(views, 2 * size);
    }
    views[size++] =
        new QueueView(
            queueId,
            device,
            process,
            false,
            0,
            true,
            0,
            clock.getAsLong(),
            0,
            0,
            false,
            hints,
            null);
    devices = Math.max(devices, device + 1);
  }

  public void removeQueue(long queueId) {
    Integer index = indexOfQueue.remove(queueId);
    if (index == null) {
      return;
    }
    goals.remove(queueId);
    backlogs.forget(queueId);
    thaw(clock.getAsLong());
    QueueView last = views[--size];
    if (index < size) {
      views[index] = last;
      indexOfQueue.put(last.id(), index);
    }
  }

  /** Records that a queue has work since that time. */
  public void ready(long queueId, long sinceNanos) {
    long now = now();
    int i = index(queueId);
    views[i] = withReady(views[i], true, sinceNanos, now, chargedFrom(views[i], now));
  }

  /** Records that a queue has no work. */
  public void idle(long queueId) {
    long now = now();
    int i = index(queueId);
    views[i] = withReady(views[i], false, 0, now, now);
  }

  public void hint(long queueId, Hint hint, long value, Hints.Source source) {
    hint.check(Hint.Scope.QUEUE, value);
    int i = index(queueId);
    views[i] = withHints(views[i], views[i].hints().with(hint, value, source));
  }

  /** Replaces all hints of a queue. */
  public void hints(long queueId, Hints hints) {
    int i = index(queueId);
    views[i] = withHints(views[i], hints);
  }

  public void systemHint(Hint hint, long value, Hints.Source source) {
    hint.check(Hint.Scope.SYSTEM, value);
    system = system.with(hint, value, source);
  }

  /** The hints that belong to no queue. */
  public Hints system() {
    return system;
  }

  /** Says which devices can follow a share, see {@link Snapshot#slices}; none do at first. */
  public void setSlicing(BitSet devices) {
    slicing = (BitSet) devices.clone();
  }

  /** Whether the policy threw, so that every queue runs until it is replaced. */
  public boolean policyBroken() {
    return policyBroken;
  }

  /** Records the CPU nice value of a process and returns its new view. */
  public ProcessView setNice(ProcessView process, int nice) {
    ProcessView changed = new ProcessView(process.id(), process.slot(), process.pid(), nice);
    for (int i = 0; i < size; i++) {
      if (views[i].process().id() == process.id()) {
        views[i] = withProcess(views[i], changed);
      }
    }
    return changed;
  }

  /**
   * Charges nobody for what they used because a decision came later than the policy wanted it, by
   * more than that. For a caller that can be stopped, or be without a processor: a queue that ran
   * on because nobody stopped it would otherwise wait until all others have had as much.
   */
  public void forgiveAfter(long lateNanos) {
    patienceNanos = lateNanos;
  }

  public QueueView queue(long queueId) {
    return views[index(queueId)];
  }

  /** How a queue fares with its goal, as the policy last saw it; null where it has none. */
  public @Nullable GoalState goal(long queueId) {
    return goals.get(queueId);
  }

  /** Asks the policy about all that was recorded and carries out what it says. */
  public void decide() {
    long now = now();
    decidedNanos = now;
    chargeBacklogs(now);
    countAll();
    List<QueueView> seen = new FrozenList<>(Arrays.copyOf(views, size));
    Decision decision = ask(now, seen);
    BitSet stopped = new BitSet();
    BitSet goesOn = new BitSet();
    for (int i = 0; i < size; i++) {
      QueueView view = views[i];
      boolean run = decision == null || decision.runs(i);
      goesOn.set(i, run && view.running() && view.ready());
      if (run != view.running()) {
        if (run) {
          backlogs.runs(view, orders.work(view.id()));
        }
        views[i] = withRunning(view, run, now, chargedFrom(view, now));
        orders.order(view.id(), run);
        stopped.set(i, !run);
      }
    }
    noticeBacklogs(stopped, goesOn, now);
    thaw(now);
    goals.clear();
    if (decision != null) {
      decision.forEachGoal((goal, i) -> goals.put(views[i].id(), goal));
    }
    orders.decided(decision == null ? null : decision.ranking(), seen);
    if (decision != null) {
      memory = decision.memory();
      decision.forEachQueueMemory((m, i) -> views[i] = withMemory(views[i], m));
    }
    long wakeNanos = decision == null ? Decision.NEVER : decision.wakeNanos();
    if (wakeNanos != armedNanos || wakeNanos <= now) {
      armedNanos = wakeNanos;
      timer.arm(wakeNanos);
    }
  }

  /** The time up to which queues are charged, after nobody was for what is forgiven. */
  private long now() {
    long now = clock.getAsLong();
    if (armedNanos != Decision.NEVER && now - armedNanos > patienceNanos) {
      long chargedUntil = Math.max(armedNanos, decidedNanos);
      for (int i = 0; i < size; i++) {
        QueueView view = views[i];
        if (view.ready() && view.running()) {
          views[i] = withUsed(view, view.usedNanos(chargedUntil), chargedFrom(view, now));
        }
      }
    }
    return now;
  }

  private void chargeBacklogs(long now) {
    for (long id : backlogs.queues()) {
      int i = index(id);
      long nanos = backlogs.charge(id, orders.work(id), now);
      views[i] = withUsed(views[i], views[i].usedNanosBefore() + nanos, views[i].updatedNanos());
    }
    thaw(now);
  }

  private void noticeBacklogs(BitSet stopped, BitSet goesOn, long now) {
    Map<Integer, Set<Long>> programs = new HashMap<>();
    addPrograms(stopped, programs);
    if (programs.isEmpty()) {
      goesOn.clear();
    }
    addPrograms(goesOn, programs);
    boolean any = false;
    for (int i = stopped.nextSetBit(0); i >= 0; i = stopped.nextSetBit(i + 1)) {
      QueueView view = views[i];
      int sideBySide = programs.getOrDefault(view.device(), Set.of()).size();
      any |= backlogs.stopped(view, orders.work(view.id()), Math.max(1, sideBySide), now);
    }
    for (int i = goesOn.nextSetBit(0); i >= 0; i = goesOn.nextSetBit(i + 1)) {
      QueueView view = views[i];
      int sideBySide = programs.getOrDefault(view.device(), Set.of()).size();
      if (sideBySide > 1) {
        backlogs.goesOnAlone(view, orders.work(view.id()), sideBySide);
      }
    }
    for (int i = 0; any && i < size; i++) {
      QueueView view = views[i];
      if (view.ready() && view.running()) {
        views[i] = withUsed(view, view.usedNanos(now), chargedFrom(view, now));
      }
    }
  }

  /** Adds whose queues these are, by device, of those that have work there. */
  private void addPrograms(BitSet queues, Map<Integer, Set<Long>> programs) {
    for (int i = queues.nextSetBit(0); i >= 0; i = queues.nextSetBit(i + 1)) {
      if (views[i].ready()) {
        programs
            .computeIfAbsent(views[i].device(), _ -> new HashSet<>())
            .add(views[i].process().id());
      }
    }
  }

  /** Others are charged from when the device is done with what was left, if that is sooner. */
  private void thaw(long now) {
    boolean sooner = backlogs.takeShortened();
    for (int i = 0; sooner && i < size; i++) {
      QueueView view = views[i];
      if (view.updatedNanos() > chargedFrom(view, now)) {
        views[i] = withUsed(view, view.usedNanosBefore(), chargedFrom(view, now));
      }
    }
  }

  private long chargedFrom(QueueView view, long now) {
    return backlogs.chargedFrom(view.device(), now);
  }

  private void countAll() {
    for (int i = 0; i < size; i++) {
      if (views[i].hints().hasGoal()) {
        long id = views[i].id();
        views[i] =
            withCounts(views[i], orders.completed(id), orders.waitedNanos(id), orders.awaited(id));
      }
    }
  }

  private @Nullable Decision ask(long now, List<QueueView> queues) {
    if (policyBroken) {
      return null;
    }
    Snapshot snapshot =
        new Snapshot(now, queues, devices, processSlots.length(), system, slicing, memory);
    try {
      Decision decision = policy.decide(snapshot);
      decision.check(queues.size());
      return decision;
    } catch (RuntimeException | StackOverflowError | LinkageError | AssertionError e) {
      policyBroken = true;
      System.getLogger("dev.xsched")
          .log(
              Logger.Level.ERROR,
              "policy %s failed, so every queue runs; choose another".formatted(policy.name()),
              e);
      return null;
    }
  }

  private int index(long queueId) {
    Integer index = indexOfQueue.get(queueId);
    if (index == null) {
      throw new IllegalArgumentException("queue %d is not known".formatted(queueId));
    }
    return index;
  }

  private static QueueView withReady(
      QueueView v, boolean ready, long sinceNanos, long now, long from) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        ready,
        sinceNanos,
        v.running(),
        v.usedNanos(now),
        from,
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        v.hints(),
        v.memory());
  }

  private static QueueView withUsed(QueueView v, long usedNanos, long untilNanos) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        v.ready(),
        v.readySinceNanos(),
        v.running(),
        usedNanos,
        untilNanos,
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        v.hints(),
        v.memory());
  }

  private static QueueView withRunning(QueueView v, boolean running, long now, long from) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        v.ready(),
        v.readySinceNanos(),
        running,
        v.usedNanos(now),
        from,
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        v.hints(),
        v.memory());
  }

  private static QueueView withHints(QueueView v, Hints hints) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        v.ready(),
        v.readySinceNanos(),
        v.running(),
        v.usedNanosBefore(),
        v.updatedNanos(),
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        hints,
        v.memory());
  }

  private static QueueView withProcess(QueueView v, ProcessView process) {
    return new QueueView(
        v.id(),
        v.device(),
        process,
        v.ready(),
        v.readySinceNanos(),
        v.running(),
        v.usedNanosBefore(),
        v.updatedNanos(),
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        v.hints(),
        v.memory());
  }

  private static QueueView withCounts(
      QueueView v, long completed, long waitedNanos, boolean awaited) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        v.ready(),
        v.readySinceNanos(),
        v.running(),
        v.usedNanosBefore(),
        v.updatedNanos(),
        completed,
        waitedNanos,
        awaited,
        v.hints(),
        v.memory());
  }

  private static QueueView withMemory(QueueView v, @Nullable Object memory) {
    return new QueueView(
        v.id(),
        v.device(),
        v.process(),
        v.ready(),
        v.readySinceNanos(),
        v.running(),
        v.usedNanosBefore(),
        v.updatedNanos(),
        v.completed(),
        v.waitedNanos(),
        v.awaited(),
        v.hints(),
        memory);
  }
}
