package dev.xsched.cli.demo;

import dev.xsched.bench.scene.Outcome;
import java.time.Duration;

/** Where the demo takes place: a device, and how time passes there. */
interface Stage extends AutoCloseable {
  /** The device, for people. */
  String device();

  /** The device as records name it. */
  default String recordedDevice() {
    return device();
  }

  boolean simulated();

  /** What the two tasks do, in one sentence each. */
  Workload workload();

  /** What of it is not real, for people. */
  String simulation();

  /** A length of a run that gives good percentiles and does not bore. */
  long defaultSeconds();

  /** How long the user waits for a run of that length; nothing where time is virtual. */
  Duration waiting(Duration measured);

  /**
   * Runs one configuration.
   *
   * @param measured how long, after a warm-up that does not count
   * @param tick called now and then meanwhile
   */
  Outcome run(Configuration configuration, Duration measured, Runnable tick)
      throws InterruptedException;

  @Override
  void close();
}
