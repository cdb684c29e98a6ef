package dev.xsched.link;

import static dev.xsched.link.Layouts.GPU;
import static dev.xsched.link.Layouts.INT;
import static dev.xsched.link.Layouts.LONG;
import static dev.xsched.link.Layouts.offset;

import java.lang.foreign.MemorySegment;

/**
 * One GPU in a program's block: struct xsched_gpu. The program writes what it learned of it and
 * what it did; the daemon writes standing orders. {@link Block#raiseGpuOrders} must follow these.
 */
public final class Gpu {
  static final int OFFERS_SLICE = 1;
  static final int NO_INTERRUPT = 0;

  private static final int USED = 1;
  private static final int DEVICE_SIZE = 64;
  private static final int REASON_SIZE = 96;
  private static final long STATE = offset(GPU, "state");
  private static final long OFFERS = offset(GPU, "offers");
  private static final long DEVICE = offset(GPU, "device");
  private static final long REASON = offset(GPU, "reason");
  private static final long SLICE_MICROS = offset(GPU, "slice_micros");
  private static final long SLICE_ORDER = offset(GPU, "slice_order");
  private static final long INTERRUPT_ORDER = offset(GPU, "interrupt_order");

  private final MemorySegment memory;

  Gpu(MemorySegment memory) {
    this.memory = memory;
  }

  // The program's side.

  /** Shows the device, and offers slices unless there is a reason not to. */
  public void show(String device, String reason) {
    Text.write(memory, DEVICE, DEVICE_SIZE, device);
    Text.write(memory, REASON, REASON_SIZE, reason);
    INT.setRelease(memory, OFFERS, reason.isEmpty() ? OFFERS_SLICE : 0);
    INT.setVolatile(memory, STATE, USED);
  }

  public long sliceOrder() {
    return (long) LONG.getVolatile(memory, SLICE_ORDER);
  }

  public void setSliceMicros(long micros) {
    LONG.setVolatile(memory, SLICE_MICROS, micros);
  }

  // The daemon's side.

  boolean used() {
    return (int) INT.getAcquire(memory, STATE) == USED;
  }

  String device() {
    return Text.read(memory, DEVICE, DEVICE_SIZE);
  }

  /** Whether the program can set how long the GPU stays with it. */
  public boolean offersSlices() {
    return ((int) INT.getAcquire(memory, OFFERS) & OFFERS_SLICE) != 0;
  }

  /** Why it offers nothing, empty if it does. */
  public String reason() {
    return Text.read(memory, REASON, REASON_SIZE);
  }

  /** What is in force, 0 if that is the driver's own. */
  public long sliceMicros() {
    return (long) LONG.getAcquire(memory, SLICE_MICROS);
  }

  /** Orders a time slice; 0 leaves it to the driver. */
  public void orderSlice(long micros) {
    LONG.setVolatile(memory, SLICE_ORDER, micros);
  }

  /** Takes all orders back. */
  public void forgetOrders() {
    orderSlice(0);
    INT.setVolatile(memory, INTERRUPT_ORDER, NO_INTERRUPT);
  }
}
