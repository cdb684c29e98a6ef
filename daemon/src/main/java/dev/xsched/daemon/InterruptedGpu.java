package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
import dev.xsched.daemon.nvidia.ChannelSwitch.Turn;
import dev.xsched.link.Gpu;
import dev.xsched.link.Gpu.Channel;
import dev.xsched.link.Gpu.Interrupt;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One GPU of one program, and whether the program's work is on it.
 *
 * <p>Where the daemon can, it disables the program's channels itself; on AMD's GPUs only the
 * program can take its queues off. A channel stays disabled when the daemon dies, so the order is
 * written down in the program's memory first: then the program's own agent enables them. To be sure
 * that there is such an agent, nothing is disabled before the program has answered an order of this
 * daemon. The order stands until all is enabled again.
 *
 * <p>The work stays off for as long as an interrupt takes after nobody wishes it any more. Who
 * waits for the GPU after each of its commands, or launches more slowly than the GPU works, has no
 * work for moments only; and on AMD's GPUs without MES each turn takes the work of all programs off
 * for a while.
 *
 * <p>Disabling counts. So nothing is disabled twice, and where we cannot know - another daemon was
 * there before, or the program missed our heartbeat and went on by itself - it is enabled first,
 * which does no harm.
 */
final class InterruptedGpu {
  private static final System.Logger LOG = System.getLogger("dev.xsched.daemon");

  /** The program goes on by itself without this, after XSCHED_INTERRUPT_LIMIT seconds. */
  private static final long CONFIRM_NANOS = 500_000_000;

  /** A heartbeat this late may have been missed; XSCHED_HEARTBEAT_LOST_NANOS is 500 ms. */
  private static final long LATE_NANOS = 400_000_000;

  /**
   * Up to here we wait for the end of a slice instead of preempting. The call is shorter then, and
   * who has the GPU meanwhile, who may be of the highest rank, keeps it. The shortest slice of ours
   * is 1 us; with the driver's own, others would wait for up to 2.5 ms
   * (results/nvidia-level-2-h200.json). The GPU may forget work in this way, so this is for
   * programs that remind it. nvidia_gpu.c has the same rule.
   */
  private static final long SHORT_SLICE_MICROS = 100;

  private static final long NEVER = Long.MAX_VALUE;

  /**
   * What all of them share.
   *
   * @param lock to be held when memory of programs is touched
   * @param held channels that are disabled, of all programs
   * @param cost what an interrupt takes, as of late
   * @param alarm has those who wait looked at, at that time
   */
  record Surroundings(
      ReentrantLock lock,
      LongSupplier clock,
      ChannelSwitches switches,
      Set<Channel> held,
      LongSupplier cost,
      Alarm alarm) {}

  /** What was carried out, and how long that took. */
  record Change(ManagedQueue queue, boolean interrupted, long nanos) {}

  private final Program program;
  private final Gpu gpu;
  private final String device;
  private final Surroundings around;

  // Under the lock, as is all memory of the program.
  private final Set<ManagedQueue> wishing = new LinkedHashSet<>();
  private boolean gone;
  private long lingerNanos;
  private long lingersUntil;
  private boolean doubted;

  // Of the thread that calls follow.
  private final Set<ManagedQueue> marked = new LinkedHashSet<>();
  private @Nullable DisabledChannels channels;
  private boolean onlyHere;
  private Interrupt ordered = Interrupt.NONE;
  private Interrupt done = Interrupt.NONE;
  private int seq;
  private long orderedAt;
  private long confirmedAt;
  private long beat;
  private long tookNanos;
  private long dueAt = NEVER;

  /** Whether the program's agent has seen an order since we last had doubts. */
  private boolean answered;

  private boolean complained;

  /** Whether channels may be disabled that we know nothing of. */
  private boolean unsure = true;

  InterruptedGpu(Program program, Gpu gpu, Surroundings around) {
    this.program = program;
    this.gpu = gpu;
    this.device = gpu.device();
    this.around = around;
  }

  // These are called with the lock held.

  void wish(ManagedQueue queue, boolean interrupted) {
    if (interrupted) {
      wishing.add(queue);
    } else if (wishing.remove(queue)) {
      queue.leavesAt = ManagedQueue.NOT;
      lingersUntil = wishing.isEmpty() ? now() + lingerNanos : lingersUntil;
    }
  }

  void wishNothing() {
    wishing.forEach(queue -> queue.leavesAt = ManagedQueue.NOT);
    wishing.clear();
    lingersUntil = now();
  }

  /** Channels may be disabled that we think are not. */
  void doubt() {
    doubted = true;
  }

  /** The program has gone: its memory is not to be touched again. */
  void forget() {
    wishNothing();
    gone = true;
  }

  /** When it is to be followed though nobody asks for that. */
  long dueAt() {
    return dueAt;
  }

  boolean isOver() {
    return gone && dueAt == NEVER;
  }

  /** Brings it in line with what is wished; returns what changed. */
  List<Change> follow() {
    if (locked(this::isWanted)) {
      interrupt();
    } else {
      restore();
    }
    return locked(this::conclude);
  }

  private boolean isWanted() {
    return !gone && (!wishing.isEmpty() || lingers()) && gpu.offersInterrupts();
  }

  private boolean lingers() {
    return lingersUntil - now() > 0;
  }

  private void interrupt() {
    Gpu.Learned learned = locked(() -> gone || missesHeartbeat() ? null : gpu.learned());
    if (learned == null) {
      return;
    }
    Interrupt how = choose(learned);
    if (how == Interrupt.HERE && !enable()) {
      return;
    }
    if (locked(() -> order(how)) && how == Interrupt.BY_DAEMON && channels != null) {
      disable(channels, learned);
    }
  }

  /**
   * Whether the program may think that there is no daemon, so that it would not look after what is
   * disabled now. If it may have thought so since we last looked, we start over.
   */
  private boolean missesHeartbeat() {
    long before = beat;
    beat = program.block().heartbeat();
    boolean silent = now() - beat > LATE_NANOS;
    if (silent || (ordered != Interrupt.NONE && beat - before > LATE_NANOS)) {
      unsure = true;
      answered = false;
      confirmedAt = now() - CONFIRM_NANOS; // A new number, to be answered.
    }
    return silent;
  }

  private Interrupt choose(Gpu.Learned learned) {
    if (channels == null && !onlyHere && learned.all() && learned.byDaemon()) {
      ChannelSwitch found = around.switches().of(device, learned.instance());
      channels = found == null ? null : new DisabledChannels(found, around.held(), around.clock());
    }
    onlyHere |= channels == null || !learned.all();
    return onlyHere ? Interrupt.HERE : Interrupt.BY_DAEMON;
  }

  /** Gives the order or confirms it; returns whether the program looks after it. */
  private boolean order(Interrupt how) {
    if (gone) {
      return false;
    }
    if (ordered != how || now() - confirmedAt >= CONFIRM_NANOS) {
      orderedAt = ordered == how ? orderedAt : now();
      ordered = how;
      confirmedAt = now();
      seq = gpu.orderInterrupt(how);
      program.block().raiseGpuOrders();
    }
    hear();
    return answered;
  }

  private void hear() {
    if (gpu.interruptSeq() == seq) {
      answered = true;
      if (ordered != Interrupt.BY_DAEMON) {
        Interrupt before = done;
        done = gpu.interrupted() ? Interrupt.HERE : Interrupt.NONE;
        tookNanos = done == before ? tookNanos : now() - orderedAt;
      }
    }
  }

  private void disable(DisabledChannels own, Gpu.Learned learned) {
    if (unsure) {
      unsure = !own.enableAlso(learned.channels(), this::isStillThere);
    }
    if (unsure) {
      return;
    }
    try {
      own.disable(learned.channels(), locked(() -> begin(own.isEmpty())));
    } catch (IOException e) {
      refused(learned, e);
    }
    if (done != Interrupt.BY_DAEMON) {
      tookNanos = own.tookNanos();
    }
    done = own.isEmpty() ? Interrupt.NONE : Interrupt.BY_DAEMON;
  }

  /**
   * Who waits for these to be off is let in when a quarter of that should be over: it takes about
   * as long as the rest until it has launched something and that is on the GPU. At once, and the
   * GPU would switch between the two, also while the highest rank comes.
   */
  private Turn begin(boolean first) {
    if (first) {
      long at = now() + around.cost().getAsLong() / 4;
      wishing.forEach(queue -> queue.leavesAt = at);
      around.alarm().set(at);
    }
    return !gone && endsWithItsSlice(gpu) ? Turn.OFF_AFTER_SLICE : Turn.OFF;
  }

  /**
   * Whether an interrupt leaves alone who has the GPU. By the slice that the program says is in
   * force. If the driver's own is back before the call, or while channels are off, what still runs
   * of them has the GPU until others have work and for that longer slice at most, and then is off
   * as well: there is nothing to be done about it.
   */
  static boolean endsWithItsSlice(Gpu gpu) {
    long micros = gpu.sliceMicros();
    return micros > 0 && micros <= SHORT_SLICE_MICROS && gpu.reminds();
  }

  /** One may just have gone: then the program shows it no more, and there is another attempt. */
  private void refused(Gpu.Learned learned, IOException reason) {
    Gpu.Learned now = locked(() -> gone ? null : gpu.learned());
    if (now != null && now.changes() == learned.changes()) {
      onlyHere = true;
      around.switches().say(device, reason);
    }
  }

  private void restore() {
    boolean anew = locked(() -> doubted);
    if (!enable()) {
      return; // The order stands unconfirmed: then the program does it.
    }
    if (done == Interrupt.BY_DAEMON && channels != null) {
      tookNanos = channels.tookNanos();
      done = Interrupt.NONE;
    }
    locked(
        () -> {
          if (gone) {
            done = Interrupt.NONE;
          } else if (ordered != Interrupt.NONE || anew) {
            order(Interrupt.NONE); // Which has the program remind the GPU of its work, too.
          } else if (done != Interrupt.NONE) {
            hear();
          }
          return true;
        });
  }

  private boolean enable() {
    boolean enabled =
        channels == null
            || (channels.enable(this::isStillThere)
                && channels.enableAlso(locked(this::doubtful), this::isStillThere));
    if (!enabled && !complained) {
      complained = true;
      LOG.log(
          Level.WARNING,
          "the driver does not let %s go on; it does so itself after XSCHED_INTERRUPT_LIMIT"
              .formatted(program));
    }
    return enabled;
  }

  private List<Channel> doubtful() {
    Gpu.Learned learned = doubted && !gone ? gpu.learned() : null;
    doubted = false;
    return learned == null ? List.of() : learned.channels();
  }

  private boolean isStillThere(Channel channel) {
    Gpu.Learned learned = locked(() -> gone ? null : gpu.learned());
    return learned != null && learned.channels().contains(channel);
  }

  private List<Change> conclude() {
    boolean off = done != Interrupt.NONE;
    List<Change> changes = new ArrayList<>();
    if (off) {
      wishing.stream()
          .filter(marked::add)
          .forEach(queue -> changes.add(new Change(queue, true, tookNanos)));
      marked.forEach(queue -> queue.interruption = done);
    } else {
      marked.forEach(queue -> queue.interruption = done);
      marked.forEach(queue -> changes.add(new Change(queue, false, tookNanos)));
      marked.clear();
    }
    wishing.forEach(queue -> queue.leavesAt = ManagedQueue.NOT);
    boolean keeps = channels != null && !channels.isEmpty();
    boolean stands = off || keeps || (ordered != Interrupt.NONE && !gone);
    dueAt = stands || isWanted() ? now() + Interrupts.LOOK_NANOS : NEVER;
    if (wishing.isEmpty() && lingers()) {
      dueAt = lingersUntil;
    }
    lingerNanos = off ? around.cost().getAsLong() : 0;
    return changes;
  }

  private long now() {
    return around.clock().getAsLong();
  }

  private <T> T locked(Supplier<T> action) {
    around.lock().lock();
    try {
      return action.get();
    } finally {
      around.lock().unlock();
    }
  }
}
