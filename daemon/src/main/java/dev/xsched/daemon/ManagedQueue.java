package dev.xsched.daemon;

import dev.xsched.daemon.Mechanism.Work;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.link.Gpu;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hints;
import dev.xsched.scheduler.Scheduler;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * A queue as the daemon keeps it: its place in the program's memory, what was last seen there, and
 * what was last ordered. Orders are remembered here because memory that a program can write proves
 * nothing.
 */
final class ManagedQueue {
  /** Stands for "not held back", "not running" and "no preemption under way". */
  static final long NOT = Long.MIN_VALUE;

  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");
  private static final long REST_NANOS = 1_000_000_000;

  /** Who has launched nothing for so long has made a pause, whatever it told. */
  private static final long PAUSE_NANOS = 1_000_000_000;

  /**
   * For so long a device may have work that was launched while nobody decided, and a program may
   * believe that its commands take as long as they seemed to, then.
   */
  private static final long UNSETTLED_NANOS = 1_000_000_000;

  private static final int INTERRUPT = 3;
  private static final int ONLY_INTERRUPT = 1 << (INTERRUPT - 1);

  private final long id;
  private final Program program;
  private final Slot slot;
  private final int generation;
  private final int device;
  private final String name;
  private final long unsettledUntil;

  // What was seen.
  long toldReadySince;

  /** What was told, or when that was, if it made no sense. */
  long readySince;

  long changes;
  Hints asked = Hints.DEFAULT;
  int askedSequence;

  final Habit habit = new Habit();
  final Anticipation anticipation = new Anticipation();
  private long readyNanos;
  private long idleSince = NOT;
  private final Patience patience = new Patience();
  private long launchedAt = NOT;

  private @Nullable Gpu gpu;
  private boolean gpuOffersSlices;
  private String offersNothing = "";
  private boolean gpuOffersInterrupts;
  private boolean gpuOffersPriority;
  private long sliceMicros;

  // What was ordered.
  boolean open = true;
  long shutAt = NOT;

  /** What the policy wants of the gate; while slices replace it, that is not what it is. */
  boolean wantedOpen = true;

  boolean covered;
  private long sliceOrder;
  private long sliceOrders;
  private Mechanism.Kind mechanism = Mechanism.Kind.GATE;
  private String reason = "";
  private int priorityOrder;
  private Gpu.Early earlyOrder = Gpu.Early.NONE;

  /** What {@link Interrupts} has carried out. */
  volatile Gpu.Interrupt interruption = Gpu.Interrupt.NONE;

  /** When that will almost be done; {@link #NOT} again only after it was. */
  volatile long leavesAt = NOT;

  /** Why that was last wished for. */
  String interruptReason = "";

  long interrupts;
  int rank;
  int ceiling = Slot.NO_CEILING;
  private int others;
  int level;
  long windowNanos;
  int windowCommands;
  int windowBatch;

  // Since when.
  long runningSince = NOT;
  long heldSince = NOT;
  long preemptedAt = NOT;
  long interruptedSince = NOT;
  @Nullable MechanismChange lastChange;

  ManagedQueue(long id, Program program, Slot slot, int device, long nowNanos) {
    this.id = id;
    this.program = program;
    this.slot = slot;
    this.generation = slot.generation();
    this.device = device;
    this.name = slot.name();
    this.unsettledUntil = slot.launched() > 0 ? nowNanos + UNSETTLED_NANOS : nowNanos;
  }

  long id() {
    return id;
  }

  Program program() {
    return program;
  }

  Slot slot() {
    return slot;
  }

  int device() {
    return device;
  }

  String name() {
    return name;
  }

  /** Whether the slot still holds this very queue. */
  boolean stillThere() {
    return slot.used() && slot.generation() == generation;
  }

  int generation() {
    return generation;
  }

  /** Returns whether that is news. */
  boolean setOthers(int newOthers) {
    boolean news = newOthers != others;
    if (news) {
      others = newOthers;
      slot.setOthers(newOthers);
    }
    return news;
  }

  /** Reads what the program says of the GPU behind the queue, if it is one. */
  void readGpu() {
    if (gpu == null) {
      gpu = program.block().showsGpus() ? program.block().gpu(slot.device()) : null;
      if (gpu == null) {
        return;
      }
    }
    gpuOffersSlices = !slot.buffered() && gpu.offersSlices();
    gpuOffersInterrupts = !slot.buffered() && gpu.offersInterrupts();
    gpuOffersPriority = !slot.buffered() && gpu.offersPriority();
    if (!gpuOffersInterrupts) {
      offersNothing = slot.buffered() ? "the program made this queue itself" : gpu.reason();
    }
    sliceMicros = gpu.sliceMicros();
  }

  @Nullable Gpu gpu() {
    return gpu;
  }

  boolean offersSlices() {
    return gpuOffersSlices && isOfLevel3();
  }

  boolean offersInterrupts() {
    return gpuOffersInterrupts && isOfLevel3();
  }

  /** Whether taking its work off the GPU leaves alone who has the GPU. */
  boolean leavesQuietly() {
    return gpu != null && InterruptedGpu.endsWithItsSlice(gpu);
  }

  boolean offersPriority() {
    return gpuOffersPriority && isOfLevel3();
  }

  private boolean isOfLevel3() {
    return level == 0 || level == INTERRUPT;
  }

  /** Whether what it has in flight takes longer than that, for all that is known. */
  boolean outlasts(long nanos) {
    boolean forced = level == INTERRUPT || slot.levels() == ONLY_INTERRUPT;
    return forced ? inFlight() > 0 : inFlight() * commandNanos() > nanos;
  }

  private long inFlight() {
    return Math.clamp(slot.launched() - slot.completed(), 0, Integer.MAX_VALUE);
  }

  private long commandNanos() {
    return Math.clamp(slot.commandNanos(), 0, Integer.MAX_VALUE);
  }

  /** What the device has of it, which goes on there after its gate was closed, or does not. */
  Scheduler.Work work(boolean goesOn, long nowNanos) {
    if (nowNanos - unsettledUntil < 0) {
      // Who waits behind what all others launched, too, is not to pay for that.
      return new Scheduler.Work(slot.completed(), 0, 0);
    }
    // Some programs tell their counts seldom, but all tell when the last command has ended.
    boolean drained = !open && slot.stopped() >= shutAt;
    return drained
        ? new Scheduler.Work(slot.launched(), 0, commandNanos())
        : new Scheduler.Work(slot.completed(), goesOn ? inFlight() : 0, commandNanos());
  }

  /** Whether all of the program's work on that device is this queue's. */
  boolean isOnlyOneThere() {
    return program.queues().stream().allMatch(q -> q == this || q.device != device);
  }

  /** Notices that it turned ready or idle. */
  void setReadySince(long since, long nowNanos) {
    if (readySince != 0) {
      readyNanos += Math.max(0, nowNanos - readySince);
      idleSince = nowNanos;
    }
    readySince = since;
    if (since == 0 && !habit.isKnown()) {
      learnHabit(nowNanos);
    }
  }

  /** Whether it had no work for a while, or never had any, or cannot go on with it. */
  boolean rests(long nowNanos) {
    return program.stopped
        || (readySince == 0 && (idleSince == NOT || nowNanos - idleSince > REST_NANOS));
  }

  /** Whether its gate is closed until others are off the GPU; that must not last. */
  void setAwaiting(boolean awaits, long nowNanos) {
    if (patience.ends(awaits && readySince != 0, nowNanos)) {
      LOG.log(
          Level.WARNING,
          "%s waited for others to be interrupted in vain; for %d s it goes on with slices alone"
              .formatted(program, patience.goneNanos(nowNanos) / 1_000_000_000));
    }
  }

  /** Whether it may be held back until others are off the GPU. */
  boolean isPatient(long nowNanos) {
    return patience.goneNanos(nowNanos) == 0;
  }

  /** How it uses its GPU now. Nobody is kept off for a program that seems never to end. */
  Habit.Use use(long nowNanos) {
    boolean pauses = readySince != 0 && nowNanos - Math.max(readySince, launchedAt) > PAUSE_NANOS;
    Habit.Use use = habit.use();
    boolean gone = use.waitsOften() && !isPatient(nowNanos);
    return pauses || gone ? Habit.Use.USUAL : use;
  }

  /** To be called a few times a second. */
  void learnHabit(long nowNanos) {
    if (gpuOffersSlices) {
      long ready = readySince == 0 ? 0 : Math.max(0, nowNanos - readySince);
      if (habit.look(slot.launched(), slot.syncs(), readyNanos + ready)) {
        launchedAt = nowNanos;
      }
    }
  }

  /** To be called a few times a second: expects its requests, if the GPU is to turn early. */
  void anticipate(long nowNanos) {
    if (gpu != null) {
      boolean wanted = (others & Slot.OTHERS_EARLY) != 0;
      long[] begun = wanted ? gpu.begun() : new long[0];
      orderEarly(anticipation.look(begun, gpu.earlyTurns(), gpu.earlyTurnsInVain(), nowNanos));
    }
  }

  private void orderEarly(Gpu.Early order) {
    if (gpu == null || order.equals(earlyOrder)) {
      return;
    }
    earlyOrder = order;
    gpu.orderEarly(order);
    program.block().raiseGpuOrders();
  }

  /** How often the GPU turned to it early, and how often no request came then. */
  long earlyTurns() {
    return gpu == null ? 0 : gpu.earlyTurns();
  }

  long earlyTurnsInVain() {
    return gpu == null ? 0 : gpu.earlyTurnsInVain();
  }

  Work work(long nowNanos) {
    long at = leavesAt;
    boolean leaves = at != NOT && nowNanos - at >= 0;
    return interruption != Gpu.Interrupt.NONE ? Work.OFF : leaves ? Work.LEAVING : Work.ON_GPU;
  }

  /** What is in force, 0 if that is the driver's own. */
  long sliceMicros() {
    return sliceMicros;
  }

  /** What keeps it apart from others on its GPU; null if there is none. */
  Mechanism.@Nullable Kind mechanism() {
    return gpu == null ? null : mechanism;
  }

  /**
   * Orders the priority that its queues have for the GPU itself; 0 is what the program gave them.
   */
  void orderPriority(int priority) {
    if (gpu != null && priority != priorityOrder) {
      priorityOrder = priority;
      gpu.orderPriority(priority);
      program.block().raiseGpuOrders();
    }
  }

  /** Why that, or why it has no higher level. */
  String reason() {
    return gpuOffersInterrupts ? reason : offersNothing;
  }

  void setMechanism(Mechanism.Kind kind, String why) {
    mechanism = kind;
    reason = why;
  }

  /** Returns whether that is news. */
  boolean orderSlice(long micros) {
    if (gpu == null || micros == sliceOrder) {
      return false;
    }
    sliceOrder = micros;
    sliceOrders++;
    gpu.orderSlice(micros);
    program.block().raiseGpuOrders();
    return true;
  }

  /** How often another slice was ordered. */
  long sliceOrders() {
    return sliceOrders;
  }

  /** Takes all orders back that could hold the queue up. */
  void release() {
    boolean _ = orderSlice(0);
    orderPriority(0);
    orderEarly(Gpu.Early.NONE);
    slot.setRank(0, Slot.NO_CEILING);
    slot.setOthers(0);
    slot.setGate(true);
  }

  void setLevel(int newLevel) {
    level = newLevel;
    slot.setLevel(newLevel);
  }

  void setWindow(long nanos, int commands, int batch) {
    windowNanos = nanos;
    windowCommands = commands;
    windowBatch = batch;
    slot.setWindow(nanos, commands, batch);
  }

  /** Ready as the policy is to see it: a stopped program wants nothing. */
  boolean ready() {
    return readySince != 0 && !program.stopped;
  }
}
