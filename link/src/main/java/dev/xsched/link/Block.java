package dev.xsched.link;

import static dev.xsched.link.Layouts.BLOCK;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.SLOTS;
import static dev.xsched.link.Layouts.offset;

import dev.xsched.link.SharedMemory.Life;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A program's control block: struct xsched_block. The program makes it and keeps it for life; each
 * daemon maps it. Native/include/xsched_control.h says who writes what, and in which order.
 */
public final class Block implements AutoCloseable {
  /** What program and daemon must have in common. */
  public static final int PROTOCOL = Layouts.PROTOCOL;

  public static final int CAPACITY = SLOTS;

  /** How many words {@link #takeChanged} has, 64 slots each. */
  public static final int CHANGED_WORDS = SLOTS / 64;

  private static final long MAGIC = offset(BLOCK, "magic");
  private static final long VERSION = offset(BLOCK, "version");
  private static final long SIZE = offset(BLOCK, "size");
  private static final long SLOT_COUNT = offset(BLOCK, "slots");
  private static final long ASKS = offset(BLOCK, "asks");
  private static final long CHANGED = offset(BLOCK, "changed");
  private static final long HEARTBEAT = offset(BLOCK, "heartbeat");
  private static final long ORDERS = offset(BLOCK, "orders");
  private static final long WATCHERS = offset(BLOCK, "watchers");
  private static final long SCHEDULED = offset(BLOCK, "scheduled");
  private static final long IGNORE_CEILINGS = offset(BLOCK, "ignore_ceilings");
  private static final long GPU_ORDERS = offset(BLOCK, "gpu_orders");
  private static final long GPU_WATCHERS = offset(BLOCK, "gpu_watchers");
  private static final long SLOT = offset(BLOCK, "slot");
  private static final long GPU = offset(BLOCK, "gpu");

  private final SharedMemory shared;
  private final MemorySegment memory;
  private final MemorySegment ordersWord;
  private final MemorySegment gpuOrdersWord;
  private final Asks asks;

  private Block(SharedMemory shared) {
    this.shared = shared;
    this.memory = shared.memory();
    this.ordersWord = memory.asSlice(ORDERS, 4);
    this.gpuOrdersWord = memory.asSlice(GPU_ORDERS, 4);
    this.asks = new Asks(memory.asSlice(ASKS, Layouts.ASKS.byteSize()));
  }

  /** Makes the block of this program. */
  public static Block create() throws IOException {
    Block block =
        new Block(SharedMemory.create("xsched-block", BLOCK.byteSize(), Life.WHILE_REACHABLE));
    INT.set(block.memory, VERSION, Layouts.PROTOCOL);
    INT.set(block.memory, SIZE, (int) BLOCK.byteSize());
    INT.set(block.memory, SLOT_COUNT, SLOTS);
    INT.setVolatile(block.memory, MAGIC, Layouts.BLOCK_MAGIC);
    return block;
  }

  /**
   * Maps the block of another program; closes the descriptor in any case.
   *
   * @throws IOException if it is not one; the message says why
   */
  static Block adopt(int fd) throws IOException {
    Block block = new Block(SharedMemory.adopt(fd, BLOCK.byteSize(), Life.UNTIL_CLOSED));
    if ((int) INT.getVolatile(block.memory, MAGIC) != Layouts.BLOCK_MAGIC
        || (int) INT.getAcquire(block.memory, VERSION) != Layouts.PROTOCOL
        || (int) INT.getAcquire(block.memory, SIZE) != (int) BLOCK.byteSize()
        || (int) INT.getAcquire(block.memory, SLOT_COUNT) != SLOTS) {
      block.close();
      throw new IOException("the memory is no control block");
    }
    return block;
  }

  int fd() {
    return shared.fd();
  }

  public Slot slot(int index) {
    long size = Layouts.SLOT.byteSize();
    return new Slot(memory.asSlice(SLOT + index * size, size), index);
  }

  public Gpu gpu(int index) {
    long size = Layouts.GPU.byteSize();
    return new Gpu(memory.asSlice(GPU + index * size, size), index);
  }

  /** Whether the program shows any GPU; places are taken in order. */
  public boolean showsGpus() {
    return gpu(0).used();
  }

  /** What the program shows of a device, if that is a GPU with more to it than a gate. */
  public @Nullable Gpu gpu(String device) {
    for (int i = 0; i < Layouts.GPUS; i++) {
      Gpu gpu = gpu(i);
      if (gpu.used() && gpu.device().equals(device)) {
        return gpu;
      }
    }
    return null;
  }

  /** Takes back all orders for GPUs, those of a daemon before this one. */
  public void forgetGpuOrders() {
    for (int i = 0; i < Layouts.GPUS; i++) {
      if (gpu(i).used()) {
        gpu(i).forgetOrders();
      }
    }
    raiseGpuOrders();
  }

  /** How often that was told: a program that has looked at all orders sleeps until it changes. */
  public int gpuOrders() {
    return (int) INT.getVolatile(memory, GPU_ORDERS);
  }

  /** Tells the program that orders for a GPU have changed. */
  public void raiseGpuOrders() {
    int _ = (int) INT.getAndAdd(memory, GPU_ORDERS, 1);
    if ((int) INT.getVolatile(memory, GPU_WATCHERS) != 0) {
      Futex.wake(gpuOrdersWord, Integer.MAX_VALUE);
    }
  }

  /** What the program asks for all of its queues. */
  public Asks asks() {
    return asks;
  }

  /** Marks a slot as changed; {@link Board#ring} must follow. */
  public void setChanged(int slot) {
    long _ = (long) LONG.getAndBitwiseOr(memory, CHANGED + 8L * (slot >> 6), 1L << (slot & 63));
  }

  /** Takes the marks of 64 slots. */
  public long takeChanged(int word) {
    long offset = CHANGED + 8L * word;
    return (long) LONG.getVolatile(memory, offset) == 0
        ? 0
        : (long) LONG.getAndSet(memory, offset, 0L);
  }

  public long heartbeat() {
    return (long) LONG.getAcquire(memory, HEARTBEAT);
  }

  public void setHeartbeat(long nanos) {
    LONG.setRelease(memory, HEARTBEAT, nanos);
  }

  public boolean scheduled() {
    return (int) INT.getAcquire(memory, SCHEDULED) == 1;
  }

  public void setScheduled(boolean scheduled) {
    INT.setVolatile(memory, SCHEDULED, scheduled ? 1 : 0);
  }

  public boolean ignoresCeilings() {
    return (int) INT.getAcquire(memory, IGNORE_CEILINGS) != 0;
  }

  public void setIgnoreCeilings(boolean ignore) {
    INT.setVolatile(memory, IGNORE_CEILINGS, ignore ? 1 : 0);
  }

  /** Changes whenever an order does. */
  public int orders() {
    return (int) INT.getVolatile(memory, ORDERS);
  }

  /** Tells the program that orders have changed. */
  public void raiseOrders() {
    int _ = (int) INT.getAndAdd(memory, ORDERS, 1);
    if ((int) INT.getVolatile(memory, WATCHERS) != 0) {
      wakeWatchers();
    }
  }

  /** Waits until orders differ from those seen, or the time is over. */
  public void awaitOrders(int seen, long timeoutNanos) {
    int _ = (int) INT.getAndAdd(memory, WATCHERS, 1);
    try {
      Futex.await(ordersWord, seen, timeoutNanos);
    } finally {
      int _ = (int) INT.getAndAdd(memory, WATCHERS, -1);
    }
  }

  /** Wakes whoever waits for orders, though there are none. */
  public void wakeWatchers() {
    Futex.wake(ordersWord, Integer.MAX_VALUE);
  }

  @Override
  public void close() {
    shared.close();
  }
}
