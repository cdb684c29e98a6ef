package dev.xsched.policy;

/**
 * How a queue with a goal fares, for whoever wants to see it. A request is a time in which its
 * program had work; zero stands for "not known yet".
 *
 * @param goalNanos what 99 of 100 requests are to stay within
 * @param currentNanos what 99 of 100 of the latest requests stayed within
 * @param aloneNanos the same while nobody else ran
 * @param requests how many requests have ended so far
 * @param backgroundPercent for how much of the time of the latest requests others were let in; what
 *     is missing to 100 was given up for the goal; on a device with time slices, the share of them
 *     that others are given now
 */
public record GoalState(
    long goalNanos, long currentNanos, long aloneNanos, long requests, int backgroundPercent) {
  /** Whether the latest requests keep the goal, as far as both are known. */
  public boolean kept() {
    return goalNanos == 0 || currentNanos <= goalNanos;
  }
}
