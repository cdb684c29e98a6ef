package dev.xsched.daemon;

import dev.xsched.daemon.nvidia.ChannelSwitch;
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
 * <p>Where the daemon can, it disables the program's channels itself. A channel stays disabled when
 * the daemon dies, so the order is written down in the program's memory first: then the program's
 * own agent enables them. To be sure that there is such an agent, nothing is disabled before the
 * program has answered an order of this daemon. The order stands until all is enabled again.
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

  private static final long NEVER = Long.MAX_VALUE;

  /**
   * What all of them share.
   *
   * @param lock to be held when memory of programs is touched
   * @param held what is disabled, whoever's it is: two programs may show the same channel
   */
  record Surroundings(
      ReentrantLock lock, LongSupplier clock, ChannelSwitches switches, Set<Channel> held) {}

  /** What was carried out, and how long that took. */
  record Change(ManagedQueue queue, boolean interrupted, long nanos) {}

  private final Program program;
  private final Gpu gpu;
  private final Surroundings around;

  // Under the lock, as is all memory of the program.
  private final Set<ManagedQueue> wishing = new LinkedHashSet<>();
  private boolean gone;

  // Of the thread that calls follow.
  private final Set<ManagedQueue> marked = new LinkedHashSet<>();
  private final Set<Channel> disabled = new LinkedHashSet<>();
  private @Nullable ChannelSwitch channelSwitch;
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

  /** Whether channels may be disabled that we know nothing of. */
  private boolean unsure = true;

  InterruptedGpu(Program program, Gpu gpu, Surroundings around) {
    this.program = program;
    this.gpu = gpu;
    this.around = around;
  }

  // These are called with the lock held.

  void wish(ManagedQueue queue, boolean interrupted) {
    if (interrupted) {
      wishing.add(queue);
    } else {
      wishing.remove(queue);
    }
  }

  void wishNothing() {
    wishing.clear();
  }

  /** The program has gone: its memory is not to be touched again. */
  void forget() {
    wishing.clear();
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
    return !gone && !wishing.isEmpty() && gpu.offersInterrupts();
  }

  private void interrupt() {
    Gpu.Learned learned = locked(() -> gone || missesHeartbeat() ? null : gpu.learned());
    if (learned == null) {
      return;
    }
    Interrupt how = choose(learned);
    if (how == Interrupt.HERE && !enable(disabled)) {
      return;
    }
    if (locked(() -> order(how)) && how == Interrupt.BY_DAEMON) {
      disable(learned);
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
    if (channelSwitch == null && !onlyHere && learned.all()) {
      channelSwitch = around.switches().of(locked(gpu::device), learned.instance());
    }
    onlyHere |= channelSwitch == null || !learned.all();
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

  private void disable(Gpu.Learned learned) {
    if (unsure) {
      Set<Channel> all = new LinkedHashSet<>(learned.channels());
      all.removeAll(around.held());
      all.addAll(disabled);
      unsure = !enable(all);
    }
    List<Channel> channels = new ArrayList<>(learned.channels());
    channels.removeAll(around.held());
    if (!channels.isEmpty() && !unsure) {
      try {
        turn(channels, true);
        disabled.addAll(channels);
        around.held().addAll(channels);
      } catch (IOException e) {
        refused(learned, channels, e);
      }
    }
    done = disabled.isEmpty() ? Interrupt.NONE : Interrupt.BY_DAEMON;
  }

  /** One may just have gone: then the program shows it no more, and there is another attempt. */
  private void refused(Gpu.Learned learned, List<Channel> channels, IOException reason) {
    enable(new LinkedHashSet<>(channels)); // Some may be disabled.
    Gpu.Learned now = locked(() -> gone ? null : gpu.learned());
    if (now != null && now.changes() == learned.changes()) {
      onlyHere = true;
      around.switches().say(locked(gpu::device), reason);
    }
  }

  private void restore() {
    if (!enable(disabled)) {
      return; // The order stands unconfirmed: then the program does it.
    }
    done = done == Interrupt.BY_DAEMON || locked(() -> gone) ? Interrupt.NONE : done;
    locked(
        () -> {
          if (!gone && ordered != Interrupt.NONE) {
            order(Interrupt.NONE);
          } else if (!gone && done != Interrupt.NONE) {
            hear();
          }
          return true;
        });
  }

  /** Enables them, one by one if need be; false if one of them is still there and refuses. */
  private boolean enable(Set<Channel> channels) {
    if (channels.isEmpty() || channelSwitch == null) {
      return true;
    }
    List<Channel> left = new ArrayList<>(channels);
    try {
      turn(left, false);
      left.clear();
    } catch (IOException e) {
      left.removeIf(this::enableOne);
      LOG.log(left.isEmpty() ? Level.DEBUG : Level.WARNING, "%s: %s".formatted(program, e));
    }
    List<Channel> enabled = new ArrayList<>(channels);
    enabled.removeAll(left);
    enabled.forEach(disabled::remove);
    enabled.forEach(around.held()::remove);
    return left.isEmpty();
  }

  /** Returns whether it is enabled, or no more. */
  private boolean enableOne(Channel channel) {
    try {
      turn(List.of(channel), false);
      return true;
    } catch (IOException e) {
      Gpu.Learned learned = locked(() -> gone ? null : gpu.learned());
      return learned == null || !learned.channels().contains(channel);
    }
  }

  private void turn(List<Channel> channels, boolean disable) throws IOException {
    if (channelSwitch != null) {
      long start = now();
      channelSwitch.turn(channels, disable);
      tookNanos = now() - start;
    }
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
    boolean stands = off || !disabled.isEmpty() || (ordered != Interrupt.NONE && !gone);
    dueAt = stands || isWanted() ? now() + Interrupts.LOOK_NANOS : NEVER;
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
