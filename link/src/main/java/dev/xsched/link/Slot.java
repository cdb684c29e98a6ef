package dev.xsched.link;

import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.SLOT;
import static dev.xsched.link.Layouts.offset;

import java.lang.foreign.MemorySegment;

/**
 * One queue in a program's block: struct xsched_slot. The program writes identity and facts, the
 * daemon orders; either side reads the other's without trust.
 */
public final class Slot {
  /** Stands for "no ceiling" in {@link #ceiling()}. */
  public static final int NO_CEILING = -1;

  /** A bit of {@link #others()}: work may come that goes before this queue's, so keep a window. */
  public static final int OTHERS_ABOVE = 1;

  /** A bit of {@link #others()}: others run while this queue is idle, so tell it at once. */
  public static final int OTHERS_BELOW = 2;

  /** The same, but a pause of a millisecond or two does not count. */
  public static final int OTHERS_STOPPED = 4;

  /** A bit of {@link #others()}: others stop while the program waits for the device. */
  public static final int OTHERS_YIELD = 8;

  /** A bit of {@link #others()}: who is above needs the device for moments only. */
  public static final int OTHERS_BRIEFLY = 16;

  /** Beside {@link #OTHERS_BELOW}: the device itself turns from them, so launch, then tell. */
  public static final int OTHERS_APART = 32;

  /** Beside any: the device could turn from them before work comes, so note when requests begin. */
  public static final int OTHERS_EARLY = 64;

  private static final int FREE = 0;
  private static final int USED = 1;
  private static final int NAME_SIZE = 48;
  private static final int DEVICE_SIZE = 64;

  private static final long STATE = offset(SLOT, "state");
  private static final long GENERATION = offset(SLOT, "generation");
  private static final long LEVELS = offset(SLOT, "levels");
  private static final long BUFFERED = offset(SLOT, "buffered");
  private static final long NAME = offset(SLOT, "name");
  private static final long DEVICE = offset(SLOT, "device");
  private static final long READY_SINCE = offset(SLOT, "ready_since");
  private static final long CHANGES = offset(SLOT, "changes");
  private static final long SUBMITTED = offset(SLOT, "submitted");
  private static final long LAUNCHED = offset(SLOT, "launched");
  private static final long COMPLETED = offset(SLOT, "completed");
  private static final long COMMAND_NANOS = offset(SLOT, "command_nanos");
  private static final long BUSY_NANOS = offset(SLOT, "busy_nanos");
  private static final long GATE_WAITS = offset(SLOT, "gate_waits");
  private static final long GATE_WAIT_NANOS = offset(SLOT, "gate_wait_nanos");
  private static final long STOPPED = offset(SLOT, "stopped");
  private static final long WAITERS = offset(SLOT, "waiters");
  private static final long AWAITED = offset(SLOT, "awaited");
  private static final long SYNCS = offset(SLOT, "syncs");
  private static final long SYNC_NANOS = offset(SLOT, "sync_nanos");
  private static final long ASKS = offset(SLOT, "asks");
  private static final long GATE = offset(SLOT, "gate");
  private static final long RANK = offset(SLOT, "rank");
  private static final long CEILING = offset(SLOT, "ceiling");
  private static final long LEVEL = offset(SLOT, "level");
  private static final long WINDOW_NANOS = offset(SLOT, "window_nanos");
  private static final long WINDOW_COMMANDS = offset(SLOT, "window_commands");
  private static final long WINDOW_BATCH = offset(SLOT, "window_batch");
  private static final long OTHERS = offset(SLOT, "others");

  private final MemorySegment memory;
  private final MemorySegment gateWord;
  private final int index;
  private final Asks asks;

  Slot(MemorySegment memory, int index) {
    this.memory = memory;
    this.index = index;
    this.gateWord = memory.asSlice(GATE, 4);
    this.asks = new Asks(memory.asSlice(ASKS, Layouts.ASKS.byteSize()));
  }

  public int index() {
    return index;
  }

  public Asks asks() {
    return asks;
  }

  // The program's side.

  /** Takes the slot for a queue. Everything else must be told after this. */
  public void use(String name, String device, int levels, boolean buffered) {
    INT.setRelease(memory, GENERATION, (int) INT.get(memory, GENERATION) + 1);
    INT.setRelease(memory, LEVELS, levels);
    INT.setRelease(memory, BUFFERED, buffered ? 1 : 0);
    Text.write(memory, NAME, NAME_SIZE, name);
    Text.write(memory, DEVICE, DEVICE_SIZE, device);
    memory.asSlice(READY_SINCE, WAITERS - READY_SINCE).fill((byte) 0);
    memory.asSlice(ASKS, Layouts.ASKS.byteSize()).fill((byte) 0);
    forgetOrders();
    INT.setVolatile(memory, STATE, USED);
  }

  /** Opens the gate: no order for the slot's last user, or of a daemon that has gone, may hold. */
  public void forgetOrders() {
    setRank(0, NO_CEILING);
    setOthers(0);
    setLevel(0);
    setWindow(0, 0, 0);
    INT.setVolatile(memory, GATE, 0);
  }

  public void free() {
    INT.setVolatile(memory, STATE, FREE);
  }

  /** Tells since when the queue is ready, 0 if it is idle. */
  public void setReadySince(long nanos) {
    LONG.setVolatile(memory, READY_SINCE, nanos);
    LONG.setVolatile(memory, CHANGES, changes() + 1);
  }

  public void setSyncs(long syncs, long nanos) {
    LONG.setRelease(memory, SYNCS, syncs);
    LONG.setRelease(memory, SYNC_NANOS, nanos);
  }

  public void setCounts(long submitted, long launched, long completed, long commandNanos) {
    LONG.setRelease(memory, SUBMITTED, submitted);
    LONG.setRelease(memory, LAUNCHED, launched);
    LONG.setRelease(memory, COMPLETED, completed);
    LONG.setRelease(memory, COMMAND_NANOS, commandNanos);
  }

  public void addBusy(long nanos) {
    LONG.setRelease(memory, BUSY_NANOS, busyNanos() + nanos);
  }

  public void addGateWait(long nanos) {
    LONG.setRelease(memory, GATE_WAITS, gateWaits() + 1);
    LONG.setRelease(memory, GATE_WAIT_NANOS, gateWaitNanos() + nanos);
  }

  public void setStopped(long nanos) {
    LONG.setRelease(memory, STOPPED, nanos);
  }

  // What either side may read.

  public boolean used() {
    return (int) INT.getAcquire(memory, STATE) == USED;
  }

  public int generation() {
    return (int) INT.getAcquire(memory, GENERATION);
  }

  public int levels() {
    return (int) INT.getAcquire(memory, LEVELS);
  }

  public boolean buffered() {
    return (int) INT.getAcquire(memory, BUFFERED) == 1;
  }

  public String name() {
    return Text.read(memory, NAME, NAME_SIZE);
  }

  public String device() {
    return Text.read(memory, DEVICE, DEVICE_SIZE);
  }

  public long readySince() {
    return (long) LONG.getVolatile(memory, READY_SINCE);
  }

  public long changes() {
    return (long) LONG.getVolatile(memory, CHANGES);
  }

  public long submitted() {
    return (long) LONG.getAcquire(memory, SUBMITTED);
  }

  public long launched() {
    return (long) LONG.getAcquire(memory, LAUNCHED);
  }

  public long completed() {
    return (long) LONG.getAcquire(memory, COMPLETED);
  }

  public long commandNanos() {
    return (long) LONG.getAcquire(memory, COMMAND_NANOS);
  }

  /** How often the program waited for the device, where that is known. */
  public long syncs() {
    return (long) LONG.getAcquire(memory, SYNCS);
  }

  /** How long its threads waited for the device, while there are {@link #OTHERS_BELOW}. */
  public long syncNanos() {
    return (long) LONG.getAcquire(memory, SYNC_NANOS);
  }

  /** Whether a thread of the program waits for the device now, while {@link #OTHERS_YIELD}. */
  public boolean awaited() {
    return (int) INT.getAcquire(memory, AWAITED) != 0;
  }

  public long busyNanos() {
    return (long) LONG.getAcquire(memory, BUSY_NANOS);
  }

  public long gateWaits() {
    return (long) LONG.getAcquire(memory, GATE_WAITS);
  }

  public long gateWaitNanos() {
    return (long) LONG.getAcquire(memory, GATE_WAIT_NANOS);
  }

  public long stopped() {
    return (long) LONG.getAcquire(memory, STOPPED);
  }

  public boolean gateOpen() {
    return (int) INT.getVolatile(memory, GATE) == 0;
  }

  public int rank() {
    return (int) INT.getAcquire(memory, RANK);
  }

  public int ceiling() {
    return (int) INT.getAcquire(memory, CEILING);
  }

  public int level() {
    return (int) INT.getAcquire(memory, LEVEL);
  }

  public long windowNanos() {
    return (long) LONG.getAcquire(memory, WINDOW_NANOS);
  }

  public int windowCommands() {
    return (int) INT.getAcquire(memory, WINDOW_COMMANDS);
  }

  public int windowBatch() {
    return (int) INT.getAcquire(memory, WINDOW_BATCH);
  }

  /** Whose work depends on this queue's: a sum of the OTHERS above, or 0 for nobody's. */
  public int others() {
    return (int) INT.getAcquire(memory, OTHERS);
  }

  // The daemon's side.

  /** Opens or closes the gate. */
  public void setGate(boolean open) {
    INT.setVolatile(memory, GATE, open ? 0 : 1);
    wakeWaiters();
  }

  /** Has those who wait at the gate look again. */
  public void wakeWaiters() {
    if ((int) INT.getVolatile(memory, WAITERS) != 0) {
      Futex.wake(gateWord, Integer.MAX_VALUE);
    }
  }

  /** Sets the rank and the ceiling that it is compared with. */
  public void setRank(int rank, int ceiling) {
    // In between, the rank must not be compared with a ceiling that it does not belong to.
    INT.setVolatile(memory, CEILING, NO_CEILING);
    INT.setVolatile(memory, RANK, rank);
    INT.setVolatile(memory, CEILING, ceiling);
  }

  public void setOthers(int others) {
    INT.setVolatile(memory, OTHERS, others);
  }

  public void setLevel(int level) {
    INT.setRelease(memory, LEVEL, level);
  }

  public void setWindow(long nanos, int commands, int batch) {
    LONG.setRelease(memory, WINDOW_NANOS, nanos);
    INT.setRelease(memory, WINDOW_COMMANDS, commands);
    INT.setRelease(memory, WINDOW_BATCH, batch);
  }
}
