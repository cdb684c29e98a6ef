package dev.xsched.daemon;

import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.link.Block;
import dev.xsched.link.Board;
import dev.xsched.link.PacketSocket;
import dev.xsched.link.Registrar.Admission;
import dev.xsched.link.Registrar.RefusedException;
import dev.xsched.link.Slot;
import dev.xsched.policy.Decision;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.scheduler.Scheduler;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what programs write into their blocks into facts for the scheduler, and its decisions into
 * orders. Whoever has news - a bell, the alarm, a request - takes the lock, reads all that changed,
 * and has it decided.
 */
final class Dispatcher implements Scheduler.Orders {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  /** A program with more nonsense in its block than this is left alone from then on. */
  private static final int MOST_FAULTS = 1_000;

  /** A queue cannot have been ready for longer than this; another clock, most likely. */
  private static final long LONGEST_READY_NANOS = 3_600_000_000_000L;

  /**
   * Nobody is charged for what they used because this daemon came so much later than it had to: it
   * was stopped, or had no processor. Otherwise, one of n that share a device would afterwards wait
   * for n - 1 times as long; 20 ms among twelve are a quarter of a second.
   */
  private static final long LATE_NANOS = 20_000_000;

  /** The same while it is new: slow yet, and all programs come at once. */
  private static final long LATE_WHILE_NEW_NANOS = 2_000_000;

  private static final long NEW_NANOS = 2_000_000_000;

  /**
   * After so many {@link #tick}s a program that does not get on may be off its GPU unnoticed. If it
   * was not, it has long kernels, or tells of their ends seldom: it is doubted half as often then.
   */
  private static final int MANY_LOOKS = 5;

  private final ReentrantLock lock = new ReentrantLock();
  private final int ownUid;
  private final Map<Integer, UserBoard> boards = new LinkedHashMap<>();
  private final Map<Long, Program> programs = new LinkedHashMap<>();
  private final Map<Long, ManagedQueue> queues = new HashMap<>();
  private final Map<Program.Key, Integer> generations = new LinkedHashMap<>();
  private final DeviceTable devices = new DeviceTable();
  private final Books books = new Books();
  private final Gatekeeper gatekeeper;
  private final Alarm alarm = new Alarm(this::onNews, System::nanoTime);
  private final Interrupts interrupts;
  private final Scheduler scheduler;
  private final SavedHints saved;
  private final AskedHints asked;
  private final Limits limits;
  private final long startNanos = System.nanoTime();

  private long lastProgram;
  private long lastQueue;

  /** The earliest change that the next decision answers. */
  private long changedNanos = Long.MAX_VALUE;

  private boolean closed;

  Dispatcher(Policy policy, int ownUid, Limits limits, SavedHints saved) {
    this(policy, ownUid, limits, saved, new RmOpener(ownUid));
  }

  /** With somebody else to take channels off GPUs. */
  Dispatcher(
      Policy policy, int ownUid, Limits limits, SavedHints saved, ChannelSwitch.Opener opener) {
    this.ownUid = ownUid;
    this.limits = limits;
    this.saved = saved;
    this.scheduler = new Scheduler(policy, System::nanoTime, alarm::set, this);
    this.asked = new AskedHints(scheduler, limits, saved, ownUid);
    this.interrupts = new Interrupts(opener, System::nanoTime, this::onInterrupt, this::onNews);
    this.gatekeeper = new Gatekeeper(queues, boards.values(), books, interrupts);
    scheduler.forgiveAfter(LATE_WHILE_NEW_NANOS);
    alarm.start();
    interrupts.start();
  }

  /** Runs something while nothing changes, and has the outcome decided. */
  <T> T change(Supplier<T> action) {
    lock.lock();
    try {
      readAll();
      T result = action.get();
      decide();
      return result;
    } finally {
      lock.unlock();
    }
  }

  /** Looks at something while nothing changes. */
  <T> T look(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  // For those inside of change or look.

  Scheduler scheduler() {
    return scheduler;
  }

  Collection<Program> programs() {
    return programs.values();
  }

  @Nullable ManagedQueue queue(long id) {
    return queues.get(id);
  }

  DeviceTable devices() {
    return devices;
  }

  Gatekeeper gatekeeper() {
    return gatekeeper;
  }

  Books books() {
    return books;
  }

  Interrupts interrupts() {
    return interrupts;
  }

  List<Run> runsAfter(long number) {
    return books.runsAfter(number, queues.values());
  }

  List<MechanismChange> changesAfter(long number) {
    return books.changesAfter(number);
  }

  // What the registrar tells.

  Admission admit(PacketSocket.Peer peer, String name, Block block) throws RefusedException {
    ProcessFacts facts = ProcessFacts.of(peer.pid());
    lock.lock();
    try {
      UserBoard board = boardOf(peer.uid());
      int place = board.freePlace();
      if (place < 0) {
        throw new RefusedException(
            "uid %d has %d programs registered already; end some"
                .formatted(peer.uid(), Board.PROGRAMS));
      }
      Program.Key key = new Program.Key(peer.pid(), facts.startTicks());
      int generation = nextGeneration(key);
      String shown = name.isBlank() ? facts.name() : name;
      Program program =
          new Program(
              ++lastProgram,
              key,
              generation,
              shown.isBlank() ? "pid " + peer.pid() : shown,
              peer,
              block,
              board,
              place,
              scheduler.addProcess(peer.pid(), facts.nice()));
      programs.put(program.id(), program);
      try {
        return seat(program);
      } catch (RuntimeException | Error e) {
        programs.remove(program.id());
        forget(program);
        throw e;
      }
    } catch (IOException e) {
      throw new RefusedException("the daemon could not make memory for it: " + e.getMessage());
    } finally {
      lock.unlock();
    }
  }

  void left(long id) {
    lock.lock();
    try {
      Program program = programs.remove(id);
      if (program == null) {
        return;
      }
      readAll();
      forget(program);
      decide();
      program.block().close();
    } finally {
      lock.unlock();
    }
  }

  /** Shows that the daemon lives, and finds what no bell tells. */
  void tick(boolean everySecond) {
    lock.lock();
    try {
      long now = System.nanoTime();
      scheduler.forgiveAfter(now - startNanos < NEW_NANOS ? LATE_WHILE_NEW_NANOS : LATE_NANOS);
      gatekeeper.look(devices.size());
      for (Program program : programs.values()) {
        program.block().setHeartbeat(now);
        readProgram(program);
        noticeStandstill(program);
        for (ManagedQueue queue : program.queues()) {
          books.noticeDrained(queue, now);
          queue.learnHabit(now);
          queue.anticipate(now);
        }
        if (everySecond) {
          noticeNice(program);
        }
      }
      decide();
    } finally {
      lock.unlock();
    }
  }

  /** Opens every gate and ends. */
  void close() {
    interrupts.close();
    lock.lock();
    try {
      closed = true;
      for (Program program : programs.values()) {
        for (ManagedQueue queue : program.queues()) {
          queue.release();
        }
        program.block().setScheduled(false);
        program.block().setHeartbeat(0);
        program.block().raiseOrders();
      }
      boards.values().forEach(UserBoard::close);
      alarm.close();
    } finally {
      lock.unlock();
    }
  }

  // The rest runs under the lock.

  /** A bell was rung, or the time has come that the policy named. */
  private void onNews() {
    lock.lock();
    try {
      if (!closed) {
        readAll();
        decide();
      }
    } finally {
      lock.unlock();
    }
  }

  private void onInterrupt(ManagedQueue queue, boolean interrupted, long nanos) {
    lock.lock();
    try {
      books.interrupted(queue, System.nanoTime(), interrupted, nanos);
    } finally {
      lock.unlock();
    }
    onNews();
  }

  /** Has a program that is known now be scheduled like the others. */
  private Admission seat(Program program) {
    Block block = program.block();
    UserBoard board = program.board();
    board.seat(program.boardIndex(), program);
    books.count(Statistic.PROGRAMS_SEEN, 1);
    program.adopted = block.orders() != 0;
    books.count(Statistic.PROGRAMS_ADOPTED, program.adopted ? 1 : 0);
    long eventsBefore = books.count(Statistic.EVENTS);
    program.hints = limits.defaults(program.uid());
    saved.recall(program);
    block.forgetGpuOrders();
    gatekeeper.look(devices.size());
    for (int slot = 0; slot < Block.CAPACITY; slot++) {
      visit(program, slot);
    }
    if (program.adopted) {
      // What happened under the last daemon is none of this one's doing.
      books.count(Statistic.EVENTS, eventsBefore - books.count(Statistic.EVENTS));
      changedNanos = Long.MAX_VALUE;
    }
    decide();
    block.raiseOrders();
    block.setScheduled(true);
    block.setHeartbeat(System.nanoTime());
    return new Admission(program.id(), board.board(), program.boardIndex());
  }

  /** Takes its queues and its place from a program that goes, or that never got them all. */
  private void forget(Program program) {
    program.queues().forEach(this::remove);
    scheduler.removeProcess(program.process);
    program.board().leave(program.boardIndex());
    gatekeeper.forget(program);
    saved.forget(program);
    interrupts.forget(program);
  }

  private void decide() {
    scheduler.decide();
    books.count(Statistic.DECISIONS, 1);
    if (changedNanos != Long.MAX_VALUE) {
      books.decisions().add(System.nanoTime() - changedNanos);
      changedNanos = Long.MAX_VALUE;
    }
  }

  private UserBoard boardOf(int uid) throws IOException {
    UserBoard board = boards.get(uid);
    if (board == null) {
      board = UserBoard.start(uid, ownUid, this::onNews);
      boards.put(uid, board);
    }
    return board;
  }

  private int nextGeneration(Program.Key key) {
    if (generations.size() > 4 * Board.PROGRAMS) {
      generations.remove(generations.keySet().iterator().next());
    }
    return generations.merge(key, 1, Integer::sum);
  }

  /** Reads what the bells tell. All of them: a ceiling must not fall before its reason is known. */
  private void readAll() {
    gatekeeper.look(devices.size());
    for (UserBoard board : boards.values()) {
      for (int word = 0; word < Board.RUNG_WORDS; word++) {
        long rung = board.board().takeRung(word);
        if (board.distrusted()) {
          rung = -1;
        }
        for (; rung != 0; rung &= rung - 1) {
          Program program = board.program(64 * word + Long.numberOfTrailingZeros(rung));
          if (program != null) {
            readProgram(program);
          }
        }
      }
    }
  }

  private void readProgram(Program program) {
    for (int word = 0; word < Block.CHANGED_WORDS; word++) {
      for (long bits = program.block().takeChanged(word); bits != 0; bits &= bits - 1) {
        visit(program, 64 * word + Long.numberOfTrailingZeros(bits));
      }
    }
  }

  private void visit(Program program, int index) {
    if (program.expelled) {
      return;
    }
    ManagedQueue queue = program.queue(index);
    if (queue != null && !queue.stillThere()) {
      remove(queue);
      queue = null;
    }
    if (queue == null) {
      queue = add(program, index);
      if (queue == null) {
        return;
      }
    }
    gatekeeper.readGpu(queue);
    interrupts.heard(queue);
    faults(program, asked.hear(program));
    faults(program, program.expelled ? 0 : asked.hear(queue));
    if (!program.expelled) {
      readFacts(queue);
    }
  }

  private @Nullable ManagedQueue add(Program program, int index) {
    Slot slot = program.block().slot(index);
    if (!slot.used()) {
      return null;
    }
    String deviceName = slot.device();
    if (deviceName.isBlank()) {
      fault(program, "a queue without a device");
      return null;
    }
    faults(program, asked.hear(program));
    if (program.expelled) {
      return null;
    }
    if (!program.board().enterQueue()) {
      slot.forgetOrders(); // Another daemon may have given some.
      slot.wakeWaiters();
      return null;
    }
    int device = devices.enter(deviceName);
    ManagedQueue queue = new ManagedQueue(++lastQueue, program, slot, device, System.nanoTime());
    queue.release();
    queues.put(queue.id(), queue);
    program.setQueue(index, queue);
    scheduler.addQueue(queue.id(), device, program.process, program.hints);
    saved.recall(queue, scheduler);
    return queue;
  }

  private void remove(ManagedQueue queue) {
    boolean _ = queue.orderSlice(0);
    queue.orderPriority(0);
    books.changed(queue, System.nanoTime(), false, false);
    Program program = queue.program();
    QueueView view = scheduler.queue(queue.id());
    program.usedByGoneQueues += view.usedNanos(System.nanoTime());
    scheduler.removeQueue(queue.id());
    gatekeeper.forget(queue);
    interrupts.forget(queue);
    queues.remove(queue.id());
    program.setQueue(queue.slot().index(), null);
    devices.leave(queue.device());
    program.board().leaveQueue();
  }

  private void readFacts(ManagedQueue queue) {
    long now = System.nanoTime();
    long changes = queue.slot().changes();
    books.count(Statistic.EVENTS, Math.clamp(changes - queue.changes, 0, Integer.MAX_VALUE));
    queue.changes = changes;
    long told = queue.slot().readySince();
    if (told != queue.toldReadySince) {
      queue.toldReadySince = told;
      long since = believable(told, now);
      if (since != told && (told > now + LONGEST_READY_NANOS || told < 0)) {
        fault(queue.program(), "a ready time that cannot be");
        if (queue.program().expelled) {
          return;
        }
      }
      queue.setReadySince(since, now);
      changedNanos = Math.min(changedNanos, since == 0 ? now : since);
      tellScheduler(queue);
    }
    books.noticeDrained(queue, now);
  }

  private static long believable(long readySince, long now) {
    boolean isLately = readySince <= now && readySince >= now - LONGEST_READY_NANOS;
    return readySince == 0 || isLately ? readySince : now;
  }

  private void tellScheduler(ManagedQueue queue) {
    if (queue.ready()) {
      scheduler.ready(queue.id(), queue.readySince);
    } else {
      scheduler.idle(queue.id());
    }
    books.changed(queue, System.nanoTime(), queue.ready(), queue.open);
  }

  private void faults(Program program, int more) {
    for (int i = 0; i < more; i++) {
      fault(program, "a hint out of range");
    }
  }

  private void fault(Program program, String what) {
    books.count(Statistic.FAULTS, 1);
    if (++program.faults == MOST_FAULTS) {
      LOG.log(
          Level.WARNING,
          "%s writes nonsense into its control block, last %s; it is not scheduled any more"
              .formatted(program, what));
      program.expelled = true;
      program.block().setScheduled(false);
      for (ManagedQueue queue : new ArrayList<>(program.queues())) {
        queue.release();
        remove(queue);
      }
    }
  }

  /**
   * Looks closer where nothing moves: a stopped process holds nobody back, and one that should get
   * on may be off its GPU.
   */
  private void noticeStandstill(Program program) {
    boolean ready = false;
    long completed = 0;
    for (ManagedQueue queue : program.queues()) {
      ready |= queue.readySince != 0;
      completed += queue.slot().completed();
    }
    boolean stands = ready && completed == program.completedBefore;
    program.completedBefore = completed;
    program.looksInVain = stands ? program.looksInVain + 1 : 0;
    program.doubtsAfter = stands ? Math.max(MANY_LOOKS, program.doubtsAfter) : MANY_LOOKS;
    if (program.looksInVain >= program.doubtsAfter && isDoubtful(program)) {
      program.doubtsAfter = 2 * program.looksInVain;
      interrupts.doubt(program);
    }
    boolean stopped = stands && ProcessFacts.of(program.key().pid()).stopped();
    if (stopped != program.stopped) {
      program.stopped = stopped;
      program.queues().forEach(this::tellScheduler);
    }
  }

  /** Whether it was off its GPU before, and neither a gate nor a higher rank holds it up now. */
  private boolean isDoubtful(Program program) {
    return program.queues().stream()
        .anyMatch(
            queue -> queue.interrupts > 0 && queue.ready() && queue.open && !isOutranked(queue));
  }

  private boolean isOutranked(ManagedQueue queue) {
    return queues.values().stream()
        .anyMatch(q -> q.device() == queue.device() && q.rank > queue.rank && q.ready());
  }

  private void noticeNice(Program program) {
    ProcessFacts facts = ProcessFacts.of(program.key().pid());
    if (!facts.equals(ProcessFacts.UNKNOWN) && facts.nice() != program.process.nice()) {
      program.process = scheduler.setNice(program.process, facts.nice());
    }
  }

  @Override
  public void order(long queueId, boolean run) {
    ManagedQueue queue = queues.get(queueId);
    if (queue == null) {
      return;
    }
    gatekeeper.order(queue, run);
  }

  @Override
  public Scheduler.Work work(long queueId) {
    ManagedQueue queue = queues.get(queueId);
    return queue == null
        ? Scheduler.Work.UNKNOWN
        : queue.work(!gatekeeper.takesOff(queue), System.nanoTime());
  }

  @Override
  public long completed(long queueId) {
    ManagedQueue queue = queues.get(queueId);
    return queue == null ? 0 : queue.slot().completed();
  }

  @Override
  public long waitedNanos(long queueId) {
    ManagedQueue queue = queues.get(queueId);
    return queue == null ? 0 : queue.slot().syncNanos();
  }

  @Override
  public boolean awaited(long queueId) {
    ManagedQueue queue = queues.get(queueId);
    return queue != null && queue.slot().awaited();
  }

  @Override
  public void decided(Decision.@Nullable Ranking ranking, List<QueueView> views) {
    gatekeeper.finish(ranking, views, devices.size());
    scheduler.setSlicing(gatekeeper.slicing());
  }
}
