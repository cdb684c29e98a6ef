package dev.xsched.hip;

import dev.xsched.gpu.Current;
import dev.xsched.gpu.DeviceKey;
import dev.xsched.gpu.Lazy;
import dev.xsched.gpu.Spinner;
import dev.xsched.gpu.StreamCommand;
import dev.xsched.gpu.StreamDevice;
import dev.xsched.gpu.StreamModule;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A device of HIP, which this program may also use otherwise. */
public final class HipDevice extends StreamDevice {
  private static final String SPIN =
      """
      extern "C" __global__ void xsched_spin(unsigned long long ticks)
      {
        unsigned long long begin = wall_clock64();
        while (wall_clock64() - begin < ticks) {
        }
      }
      """;

  /** Of AMD's data centre GPUs, where the library does not tell. */
  private static final int USUAL_KILOHERTZ = 100_000;

  private final Hip hip;
  private final int device;
  private final Lazy<Spinner> spinner = new Lazy<>(this::newSpinner);

  private HipDevice(Hip hip, int device) {
    super(hip, device, key(hip, device), new OfThread(hip, device));
    this.hip = hip;
    this.device = device;
  }

  static HipDevice numbered(Hip hip, int number) {
    return new HipDevice(hip, hip.device(number));
  }

  /** Opens a device by its number, as HIP counts them. */
  public static HipDevice open(int number) {
    return new HipProvider().open(Integer.toString(number));
  }

  private static String key(Hip hip, int device) {
    return hip.deviceUuid(device)
        .map(DeviceKey::ofUuid)
        .orElseGet(() -> DeviceKey.ofHipPciBusId(hip.devicePciBusId(device)));
  }

  /**
   * Compiles kernels for this device, and loads them.
   *
   * @param source in HIP's C++; kernels that are to be found by name are {@code extern "C"}
   * @throws dev.xsched.queue.DeviceException with what the compiler said, if it does not compile
   */
  public StreamModule compile(String source) {
    return keepModule(current().get(() -> hip.loadModule(source)));
  }

  /**
   * Loads kernels that were compiled before.
   *
   * @param code a native segment with a code object, as {@code hipcc --genco} writes it
   */
  public StreamModule load(MemorySegment code) {
    return keepModule(current().get(() -> hip.loadModule(code)));
  }

  /** A stream lives on the device for which this one stands. */
  @Override
  protected Current currentOf(MemorySegment stream) {
    return current();
  }

  /** HIP keeps a device's context as long as the program runs. */
  @Override
  protected Current retain() {
    return current();
  }

  @Override
  protected void release() {}

  private Spinner newSpinner() {
    int kilohertz = hip.wallClockKilohertz(device).orElse(USUAL_KILOHERTZ);
    return new Spinner(hip, device, compile(SPIN).kernel("xsched_spin"), kilohertz / 1e3);
  }

  @Override
  public StreamCommand delay(Duration time) {
    return spinner.get().spin(time);
  }

  /** The device that calls of a thread mean. */
  private static final class OfThread extends Current {
    private final Hip hip;
    private final int device;

    OfThread(Hip hip, int device) {
      this.hip = hip;
      this.device = device;
    }

    @Override
    protected int enter() {
      int before = hip.currentDevice();
      if (before != device) {
        hip.makeCurrent(device);
      }
      return before;
    }

    @Override
    protected void leave(int before) {
      if (before != device) {
        hip.makeCurrent(before);
      }
    }
  }
}
