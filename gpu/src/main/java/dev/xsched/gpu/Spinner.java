package dev.xsched.gpu;

import java.time.Duration;

/**
 * Keeps a device busy for a given time, by its own clock. It fills all multiprocessors: otherwise
 * another stream's kernels would run beside it, and two queues would never compete.
 */
public final class Spinner {
  private final StreamKernel kernel;
  private final double ticksPerMicrosecond;
  private final Grid wholeDevice;

  /**
   * Makes one.
   *
   * @param kernel has one parameter, of 8 bytes: for how many ticks to spin
   * @param ticksPerMicrosecond of the clock that it looks at
   */
  public Spinner(StreamDriver driver, int device, StreamKernel kernel, double ticksPerMicrosecond) {
    int threads = driver.threadsOfABlock(device);
    int blocks =
        driver.multiprocessors(device)
            * Math.max(1, driver.threadsOfAMultiprocessor(device) / threads);
    this.kernel = kernel;
    this.ticksPerMicrosecond = ticksPerMicrosecond;
    this.wholeDevice = Grid.of(blocks, threads);
  }

  public StreamCommand spin(Duration time) {
    return kernel.over(wholeDevice, Math.round(time.toNanos() / 1e3 * ticksPerMicrosecond));
  }
}
