package dev.xsched.bench.experiment;

import java.time.Duration;

/**
 * How much is measured.
 *
 * @param repetitions of each scene, by turns
 * @param requests to measure in each repetition of a scene; over all of them at least 100
 * @param peak for how long a continuous party is measured
 */
public record Extent(boolean quick, int repetitions, int requests, Duration peak) {
  public static final Extent FULL = new Extent(false, 5, 200, Duration.ofSeconds(10));

  /** Enough for a 99th percentile, not for a narrow interval. */
  public static final Extent QUICK = new Extent(true, 3, 40, Duration.ofSeconds(2));

  /** Tasks that pass before anything is measured. */
  private static final int WARM_UP = 10;

  private static final Duration LEAST_WARM_UP = Duration.ofMillis(500);

  /** How long it takes until the requests of this period have come. */
  public Duration measured(Duration period) {
    return period.multipliedBy(requests);
  }

  public Duration warmUp(Duration period) {
    Duration some = period.multipliedBy(WARM_UP);
    return some.compareTo(LEAST_WARM_UP) < 0 ? LEAST_WARM_UP : some;
  }
}
