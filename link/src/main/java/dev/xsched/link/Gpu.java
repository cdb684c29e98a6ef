package dev.xsched.link;

import static dev.xsched.link.Layouts.BEGUN;
import static dev.xsched.link.Layouts.GPU;
import static dev.xsched.link.Layouts.GPU_CHANNELS;
import static dev.xsched.link.Layouts.GPU_OBJECT;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.offset;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One GPU in a program's block: struct xsched_gpu. The program writes what it learned of it and
 * what it did; the daemon writes standing orders. {@link Block#raiseGpuOrders} must follow these.
 */
public final class Gpu {
  static final int OFFERS_SLICE = 1;
  static final int OFFERS_INTERRUPT = 2;
  static final int OFFERS_PRIORITY = 4;

  /** What a GPU of AMD's offers, whose programs interrupt themselves. */
  public static final int QUEUES = OFFERS_INTERRUPT | OFFERS_PRIORITY;

  /** What a GPU of NVIDIA's offers. */
  public static final int SLICES = OFFERS_SLICE | OFFERS_INTERRUPT;

  /** Of the queues of a program that goes before all others; the lowest is 1. */
  public static final int HIGHEST_PRIORITY = 16;

  /** Who takes the program's work off the GPU; in the order of enum xsched_gpu_interrupt. */
  public enum Interrupt {
    NONE,
    /** The program itself. */
    HERE,
    /** The daemon; the program only makes sure that it does not last longer than the daemon. */
    BY_DAEMON
  }

  /** A channel by which a program gives work to the GPU, under the driver's names. */
  public record Channel(int client, int handle) {}

  /**
   * What the program knew at one moment.
   *
   * @param changes differs when any of the rest does
   * @param instance the driver's number of the GPU
   * @param byDaemon whether anybody but the program itself could disable them
   * @param all whether there are no channels beyond those listed
   */
  public record Learned(
      int changes, int instance, boolean byDaemon, List<Channel> channels, boolean all) {}

  /**
   * An order to have the GPU turn to the program before its requests come; times are in
   * nanoseconds.
   *
   * @param at when one is expected
   * @param every after how long the next one is, and so on; 0: the GPU is not to turn early
   * @param lead how long before that
   * @param slack for how long it is to stay if a request is late
   * @param until when the order ends
   */
  public record Early(long at, long every, long lead, long slack, long until) {
    public static final Early NONE = new Early(0, 0, 0, 0, 0);
  }

  private static final int USED = 1;
  private static final int DEVICE_SIZE = 64;
  private static final int REASON_SIZE = 96;
  private static final long STATE = offset(GPU, "state");
  private static final long CHANGES = offset(GPU, "changes");
  private static final long OFFERS = offset(GPU, "offers");
  private static final long INSTANCE = offset(GPU, "instance");
  private static final long SUBDEVICE = offset(GPU, "subdevice");
  private static final long CHANNEL_COUNT = offset(GPU, "channel_count");
  private static final long CHANNELS = offset(GPU, "channels");
  private static final long CLIENT = offset(GPU_OBJECT, "client");
  private static final long HANDLE = offset(GPU_OBJECT, "handle");
  private static final long DEVICE = offset(GPU, "device");
  private static final long REASON = offset(GPU, "reason");
  private static final long SLICE_MICROS = offset(GPU, "slice_micros");
  private static final long INTERRUPTED = offset(GPU, "interrupted");
  private static final long INTERRUPT_SEQ = offset(GPU, "interrupt_seq");
  private static final long PRIORITY = offset(GPU, "priority");
  private static final long REMINDS = offset(GPU, "reminds");
  private static final long EARLY_TURNS = offset(GPU, "early_turns");
  private static final long EARLY_IN_VAIN = offset(GPU, "early_in_vain");
  private static final long SLICE_ORDER = offset(GPU, "slice_order");
  private static final long INTERRUPT_ORDER = offset(GPU, "interrupt_order");
  private static final long INTERRUPT_ORDER_SEQ = offset(GPU, "interrupt_order_seq");
  private static final long PRIORITY_ORDER = offset(GPU, "priority_order");
  private static final long EARLY_AT = offset(GPU, "early_at");
  private static final long EARLY_EVERY = offset(GPU, "early_every");
  private static final long EARLY_LEAD = offset(GPU, "early_lead");
  private static final long EARLY_SLACK = offset(GPU, "early_slack");
  private static final long EARLY_UNTIL = offset(GPU, "early_until");
  private static final long BEGINS = offset(GPU, "begins");
  private static final long BEGAN = offset(GPU, "begun");

  /** How often to read what is being written; the writer needs some microseconds. */
  private static final int ATTEMPTS = 100;

  private final MemorySegment memory;
  private final int index;

  Gpu(MemorySegment memory, int index) {
    this.memory = memory;
    this.index = index;
  }

  /** Its place in the block. */
  public int index() {
    return index;
  }

  // The program's side.

  /** Shows the device, and offers {@link #SLICES} or {@link #QUEUES}, or gives a reason not to. */
  public void show(String device, int offers, String reason) {
    Text.write(memory, DEVICE, DEVICE_SIZE, device);
    Text.write(memory, REASON, REASON_SIZE, reason);
    INT.setRelease(memory, OFFERS, reason.isEmpty() ? offers : 0);
    INT.setVolatile(memory, STATE, USED);
  }

  /**
   * Shows the channels, as many as there is room for.
   *
   * @param subdevice by which the daemon can disable them; 0: it cannot
   */
  public void showChannels(int instance, int subdevice, List<Channel> channels) {
    int _ = (int) INT.getAndAdd(memory, CHANGES, 1);
    INT.setVolatile(memory, INSTANCE, instance);
    INT.setVolatile(memory, SUBDEVICE, subdevice);
    INT.setVolatile(memory, CHANNEL_COUNT, channels.size());
    for (int i = 0; i < Math.min(channels.size(), GPU_CHANNELS); i++) {
      long place = CHANNELS + i * GPU_OBJECT.byteSize();
      INT.setVolatile(memory, place + CLIENT, channels.get(i).client());
      INT.setVolatile(memory, place + HANDLE, channels.get(i).handle());
    }
    int _ = (int) INT.getAndAdd(memory, CHANGES, 1);
  }

  public Interrupt interruptOrder() {
    return interrupt((int) INT.getVolatile(memory, INTERRUPT_ORDER));
  }

  public int interruptOrderSeq() {
    return (int) INT.getVolatile(memory, INTERRUPT_ORDER_SEQ);
  }

  /** Answers an order. */
  public void setInterrupted(boolean interrupted, int seq) {
    INT.setVolatile(memory, INTERRUPTED, interrupted ? 1 : 0);
    INT.setVolatile(memory, INTERRUPT_SEQ, seq);
  }

  public long sliceOrder() {
    return (long) LONG.getVolatile(memory, SLICE_ORDER);
  }

  public void setSliceMicros(long micros) {
    LONG.setVolatile(memory, SLICE_MICROS, micros);
  }

  public int priorityOrder() {
    return (int) INT.getVolatile(memory, PRIORITY_ORDER);
  }

  public void setPriority(int priority) {
    INT.setVolatile(memory, PRIORITY, priority);
  }

  public void setReminds(boolean reminds) {
    INT.setVolatile(memory, REMINDS, reminds ? 1 : 0);
  }

  /** Tells that a request begins at that time. */
  public void begin(long nanos) {
    long number = (long) LONG.getVolatile(memory, BEGINS);
    LONG.setVolatile(memory, BEGAN + number % BEGUN * Long.BYTES, nanos);
    LONG.setVolatile(memory, BEGINS, number + 1);
  }

  public Early earlyOrder() {
    return new Early(
        (long) LONG.getVolatile(memory, EARLY_AT),
        (long) LONG.getVolatile(memory, EARLY_EVERY),
        (long) LONG.getVolatile(memory, EARLY_LEAD),
        (long) LONG.getVolatile(memory, EARLY_SLACK),
        (long) LONG.getVolatile(memory, EARLY_UNTIL));
  }

  public void setEarlyTurns(long turns, long inVain) {
    LONG.setVolatile(memory, EARLY_IN_VAIN, inVain);
    LONG.setVolatile(memory, EARLY_TURNS, turns);
  }

  // The daemon's side.

  boolean used() {
    return (int) INT.getAcquire(memory, STATE) == USED;
  }

  public String device() {
    return Text.read(memory, DEVICE, DEVICE_SIZE);
  }

  /** Whether the program can set how long the GPU stays with it. */
  public boolean offersSlices() {
    return ((int) INT.getAcquire(memory, OFFERS) & OFFERS_SLICE) != 0;
  }

  /** Whether the program's work can be taken off the GPU. */
  public boolean offersInterrupts() {
    return ((int) INT.getAcquire(memory, OFFERS) & OFFERS_INTERRUPT) != 0;
  }

  /** Whether the program can set the priority that its queues have for the GPU itself. */
  public boolean offersPriority() {
    return ((int) INT.getAcquire(memory, OFFERS) & OFFERS_PRIORITY) != 0;
  }

  /** What it has learned; null if that never stands still, as in the memory of a broken program. */
  public @Nullable Learned learned() {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int changes = (int) INT.getVolatile(memory, CHANGES);
      if ((changes & 1) == 0) {
        Learned learned = read(changes);
        if ((int) INT.getVolatile(memory, CHANGES) == changes) {
          return learned;
        }
      }
      Thread.onSpinWait();
    }
    return null;
  }

  private Learned read(int changes) {
    int count = (int) INT.getVolatile(memory, CHANNEL_COUNT);
    List<Channel> channels = new ArrayList<>();
    for (int i = 0; i < Math.min(count, GPU_CHANNELS); i++) {
      long place = CHANNELS + i * GPU_OBJECT.byteSize();
      channels.add(
          new Channel(
              (int) INT.getVolatile(memory, place + CLIENT),
              (int) INT.getVolatile(memory, place + HANDLE)));
    }
    int instance = (int) INT.getVolatile(memory, INSTANCE);
    boolean byDaemon = (int) INT.getVolatile(memory, SUBDEVICE) != 0;
    boolean all = count >= 0 && count <= GPU_CHANNELS;
    return new Learned(changes, instance, byDaemon, channels, all);
  }

  /** Whether the program keeps its own work off the GPU. */
  public boolean interrupted() {
    return (int) INT.getVolatile(memory, INTERRUPTED) != 0;
  }

  /** Of the last order for an interrupt that the program has looked at. */
  public int interruptSeq() {
    return (int) INT.getVolatile(memory, INTERRUPT_SEQ);
  }

  /** Why it offers nothing, empty if it does. */
  public String reason() {
    return Text.read(memory, REASON, REASON_SIZE);
  }

  /** What is in force, 0 if that is the driver's own. */
  public long sliceMicros() {
    return (long) LONG.getAcquire(memory, SLICE_MICROS);
  }

  /** The order that is in force for its queues, 0 if they have the program's own. */
  public int priority() {
    return (int) INT.getAcquire(memory, PRIORITY);
  }

  /** Whether it has the GPU look at channels that are enabled: their work may be forgotten else. */
  public boolean reminds() {
    return (int) INT.getVolatile(memory, REMINDS) != 0;
  }

  /** Orders a priority, up to {@link #HIGHEST_PRIORITY}; 0 leaves it to the program. */
  public void orderPriority(int priority) {
    INT.setVolatile(memory, PRIORITY_ORDER, priority);
  }

  /** Orders a time slice; 0 leaves it to the driver. */
  public void orderSlice(long micros) {
    LONG.setVolatile(memory, SLICE_ORDER, micros);
  }

  /** Orders or confirms an interrupt, or its end; returns the number that answers it. */
  public int orderInterrupt(Interrupt how) {
    INT.setVolatile(memory, INTERRUPT_ORDER, how.ordinal());
    return (int) INT.getAndAdd(memory, INTERRUPT_ORDER_SEQ, 1) + 1;
  }

  /** When the last requests began, the oldest first; as told, so it may be nonsense. */
  public long[] begun() {
    long number = (long) LONG.getVolatile(memory, BEGINS);
    int count = Math.clamp(number, 0, BEGUN);
    long[] begun = new long[count];
    for (int i = 0; i < count; i++) {
      long place = Math.floorMod(number - count + i, (long) BEGUN);
      begun[i] = (long) LONG.getVolatile(memory, BEGAN + place * Long.BYTES);
    }
    return begun;
  }

  /** How often the program had the GPU turn early. */
  public long earlyTurns() {
    return (long) LONG.getVolatile(memory, EARLY_TURNS);
  }

  /** Of these, how often no request came. */
  public long earlyTurnsInVain() {
    return (long) LONG.getVolatile(memory, EARLY_IN_VAIN);
  }

  /** Orders early turns; {@link Early#NONE} ends that. */
  public void orderEarly(Early order) {
    LONG.setVolatile(
        memory, EARLY_EVERY, 0L); // The rest is not to be taken for a part of the last.
    LONG.setVolatile(memory, EARLY_AT, order.at());
    LONG.setVolatile(memory, EARLY_LEAD, order.lead());
    LONG.setVolatile(memory, EARLY_SLACK, order.slack());
    LONG.setVolatile(memory, EARLY_UNTIL, order.until());
    LONG.setVolatile(memory, EARLY_EVERY, order.every());
  }

  /** Takes all orders back. */
  public void forgetOrders() {
    orderSlice(0);
    orderPriority(0);
    orderEarly(Early.NONE);
    orderInterrupt(Interrupt.NONE);
  }

  private static Interrupt interrupt(int number) {
    Interrupt[] all = Interrupt.values();
    return number >= 0 && number < all.length ? all[number] : Interrupt.NONE;
  }
}
