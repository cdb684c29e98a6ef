package dev.xsched.cuda;

import dev.xsched.gpu.Current;
import dev.xsched.gpu.DeviceKey;
import dev.xsched.gpu.Lazy;
import dev.xsched.gpu.Spinner;
import dev.xsched.gpu.StreamCommand;
import dev.xsched.gpu.StreamDevice;
import dev.xsched.gpu.StreamModule;
import java.lang.foreign.MemorySegment;
import java.time.Duration;

/** A device of CUDA in its primary context, which it shares with libraries in this program. */
public final class CudaDevice extends StreamDevice {
  /** The oldest version and target that have all this; drivers compile it for what is there. */
  private static final String SPIN =
      """
      .version 6.0
      .target sm_50
      .address_size 64
      .visible .entry xsched_spin(.param .u64 nanos)
      {
        .reg .pred %more;
        .reg .b64 %limit, %begin, %now, %passed;
        ld.param.u64 %limit, [nanos];
        mov.u64 %begin, %globaltimer;
      SPIN:
        mov.u64 %now, %globaltimer;
        sub.u64 %passed, %now, %begin;
        setp.lt.u64 %more, %passed, %limit;
        @%more bra SPIN;
        ret;
      }
      """;

  private static final double NANOS = 1_000;

  private final Cuda cuda;
  private final int device;
  private final Lazy<Spinner> spinner;

  private CudaDevice(Cuda cuda, int device) {
    super(
        cuda,
        device,
        DeviceKey.ofUuid(cuda.deviceUuid(device)),
        new CudaContext(cuda, cuda.retainPrimaryContext(device)));
    this.cuda = cuda;
    this.device = device;
    this.spinner =
        new Lazy<>(() -> new Spinner(cuda, device, load(SPIN).kernel("xsched_spin"), NANOS));
  }

  static CudaDevice numbered(Cuda cuda, int number) {
    return new CudaDevice(cuda, cuda.device(number));
  }

  /** Opens a device by its number, as CUDA counts them. */
  public static CudaDevice open(int number) {
    return new CudaProvider().open(Integer.toString(number));
  }

  /**
   * Loads kernels.
   *
   * @param ptx their text, as {@code nvcc -ptx} writes it
   * @throws dev.xsched.queue.DeviceException with what the driver's compiler said, if it does not
   *     load
   */
  public StreamModule load(String ptx) {
    return keepModule(current().get(() -> cuda.loadModule(ptx)));
  }

  @Override
  protected Current currentOf(MemorySegment stream) {
    return new CudaContext(cuda, current().get(() -> cuda.contextOf(stream)));
  }

  @Override
  protected Current retain() {
    return new CudaContext(cuda, cuda.retainPrimaryContext(device));
  }

  @Override
  protected void release() {
    cuda.releasePrimaryContext(device);
  }

  @Override
  public StreamCommand delay(Duration time) {
    return spinner.get().spin(time);
  }
}
