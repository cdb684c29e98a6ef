package dev.xsched.sim;

import java.util.random.RandomGenerator;

/**
 * What an operation of the device takes: never less than the base, with a tail as drivers have it.
 *
 * @param baseNanos the least
 * @param tailNanos mean of what comes on top, which is distributed exponentially
 */
public record Cost(long baseNanos, long tailNanos) {
  public static final Cost NONE = new Cost(0, 0);

  long sampleNanos(RandomGenerator random) {
    return tailNanos == 0
        ? baseNanos
        : baseNanos + Math.round(tailNanos * random.nextExponential());
  }
}
