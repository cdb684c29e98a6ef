package dev.xsched.policy.builtin;

/**
 * How much the background may run while a foreground is at work, from 0 (strict priority) to 1 (as
 * if nobody scheduled), and what was learned about it. Immutable.
 *
 * <p><b>The law.</b> One request in 300 may miss the goal: each that is in time earns 1/300 of a
 * miss, up to two. A miss that was not earned, or that comes soon after another or after a change,
 * shows that the share is too much: it is reduced by a fifth at once, and by half if the request
 * before was a miss, too. The share grows after a number of requests in time, the patience, if the
 * latest of them were clearly within the goal: by half every {@value #STEADY} requests until the
 * first reduction, by a tenth from then on, and only if a miss and a half was earned. A reduction
 * doubles the patience; passing the share that was too much once halves it. So the share falls
 * within a request or two, climbs slowly, and tries in vain less and less often.
 *
 * <p>Where it is known what others add to requests, no miss is waited for: the share is {@linkplain
 * #scaled scaled} to what there is room for, and only what was too much before takes patience.
 *
 * @param share what the background gets now
 * @param failed the share that was too much, when it was last reduced
 * @param patience requests in time before more is tried
 * @param inTime requests in time since the share changed, or since a miss
 * @param earned misses that can be afforded
 */
record Pace(double share, double failed, int patience, int inTime, double earned) {
  static final int STEADY = 8;

  private static final double NONE = 2;

  static final Pace STRICT = new Pace(0, NONE, STEADY, 0, 1);

  private static final int LEAST_PATIENCE = 64;
  private static final int MOST_PATIENCE = 4096;
  private static final double EARNED_PER_REQUEST = 1.0 / 300;
  private static final double MOST_EARNED = 2;
  private static final double LEAST = 0.01;
  private static final double FIRST = 0.25;

  /** Even with a share of 0 others are there a little. */
  private static final double OFFSET = 0.1;

  private static final double LEAST_FACTOR = 0.5;

  /** One that stays as it is, as long as no goal is missed. */
  static Pace fixed(double share) {
    return new Pace(share, share, Integer.MAX_VALUE, 0, 1);
  }

  /**
   * Returns the pace after one more request.
   *
   * @param miss whether it took longer than the goal
   * @param clear whether the latest ones were so far below the goal that more can be tried
   */
  Pace after(boolean miss, boolean clear) {
    boolean first = failed == NONE;
    double income = Math.min(MOST_EARNED, earned + EARNED_PER_REQUEST);
    if (miss) {
      boolean forgiven = income >= 1 && (first || inTime >= LEAST_PATIENCE);
      return forgiven
          ? new Pace(share, failed, patience, 0, income - 1)
          : reduced(inTime == 0 ? 0.5 : 0.8, 0);
    }
    boolean affordable = first || income >= 1.5; // Trying may cost one.
    if (!clear || inTime + 1 < patience || !affordable || share >= 1) {
      return new Pace(share, failed, patience, inTime + 1, income);
    }
    double more = Math.min(1, Math.max(share + LEAST, share * (first ? 1.5 : 1.1)));
    int next = first || more <= failed ? patience : shorter();
    return new Pace(more, failed, next, 0, income);
  }

  /** Returns the pace where the first reduction will not wait for misses: so it may begin high. */
  Pace begun() {
    return isFirst() && share == 0 ? new Pace(FIRST, failed, patience, 0, earned) : this;
  }

  /** Whether nothing was too much so far. */
  boolean isFirst() {
    return failed == NONE;
  }

  /** Returns the pace where so many times of this share would be right, whatever was missed. */
  Pace scaled(double factor) {
    double scaled = share + (share + OFFSET) * (Math.max(factor, LEAST_FACTOR) - 1);
    double next = scaled < LEAST ? 0 : Math.min(1, scaled);
    if (next < share) {
      return new Pace(next, share, longer(), 0, earned);
    }
    boolean again = next >= failed;
    if (next == share || (again && inTime < patience)) {
      return new Pace(share, failed, patience, inTime + 1, earned);
    }
    return new Pace(next, failed, again ? shorter() : patience, 0, earned);
  }

  private int longer() {
    return Math.clamp(2L * patience, LEAST_PATIENCE, MOST_PATIENCE);
  }

  private int shorter() {
    return Math.max(LEAST_PATIENCE, patience / 2);
  }

  private Pace reduced(double factor, double left) {
    if (share == 0) {
      return new Pace(0, failed, patience, 0, left); // It was not too much.
    }
    double less = share * factor;
    return new Pace(less < LEAST ? 0 : less, share, longer(), 0, left);
  }
}
