package dev.xsched.bench.baseline;

/**
 * A part of the device's time, enforced where a program launches: launching is allowed while there
 * are tokens, time that the device spent is taken off afterwards, and so a long command overdraws
 * and is paid for by waiting. This is how vCUDA bounds a container. Not thread-safe.
 */
public final class TokenBucket {
  /** So much unused time is kept at most: a pause must not turn into a burst. */
  private static final long MOST_NANOS = 10_000_000;

  private double percent;
  private double tokens;

  public TokenBucket(double percent) {
    this.percent = percent;
  }

  public void setPercent(double newPercent) {
    percent = newPercent;
  }

  public boolean open() {
    return tokens > 0;
  }

  /** Takes in that so much time passed and that the device worked that long for the program. */
  public void refill(long passedNanos, long usedNanos) {
    tokens = Math.min(MOST_NANOS, tokens + passedNanos * percent / 100 - usedNanos);
  }
}
