package dev.xsched.cuda;

/**
 * Keeps a device busy for a given time, by its own clock. It fills all multiprocessors: otherwise
 * another stream's kernels would run beside it, and two queues would never compete.
 */
final class CudaSpinner {
  /** The oldest version and target that have all this; drivers compile it for what is there. */
  static final String PTX =
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

  private final CudaKernel kernel;
  private final Grid wholeDevice;

  CudaSpinner(Cuda cuda, int device, CudaModule module) {
    int threads = cuda.deviceAttribute(device, Cuda.MAX_THREADS_PER_BLOCK);
    int perMultiprocessor = cuda.deviceAttribute(device, Cuda.MAX_THREADS_PER_MULTIPROCESSOR);
    int blocks =
        cuda.deviceAttribute(device, Cuda.MULTIPROCESSORS)
            * Math.max(1, perMultiprocessor / threads);
    this.kernel = module.kernel("xsched_spin");
    this.wholeDevice = Grid.of(blocks, threads);
  }

  CudaCommand spin(long nanos) {
    return kernel.over(wholeDevice, nanos);
  }
}
