package dev.xsched.bench.experiment;

import dev.xsched.bench.judge.Findings;
import dev.xsched.bench.scene.StageException;
import java.time.Duration;

/**
 * One test of the plan, for every kind of device. It plays scenes through a {@link Director} and
 * judges what came out; both parts are apart, so that the judge can be tested with numbers whose
 * verdict is known.
 */
public interface Experiment {
  /** As in the plan, such as "7.2.1". */
  String id();

  String title();

  /** Of the paper, such as "9 top"; empty if it has none. */
  String figure();

  /** How long it plays on the device's clock, roughly: for the time left. */
  Duration typicalLength(Extent extent);

  /**
   * Measures and judges. Findings that were put before it throws are kept, marked as partial.
   *
   * @throws StageException if the device or a worker is gone
   */
  void run(Director director, Findings findings) throws StageException, InterruptedException;
}
