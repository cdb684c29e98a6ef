package dev.xsched.daemon;

/**
 * How a program uses its GPU while it has work, learned from how much it launches and how often it
 * waits for the GPU. That decides what others may have beside it:
 *
 * <ul>
 *   <li>Who launches one thing and waits for it needs the GPU at once, and leaves nothing before it
 *       has ended.
 *   <li>Who launches many short things before it waits, such as a network in eager mode, cannot
 *       launch as fast as the GPU works, and leaves gaps. If others had a microsecond in each, the
 *       GPU would do little but switch: on an H200 to and fro take 0.3 ms. Since nobody waits for
 *       each of these launches, others may have longer turns; they delay only what is waited for in
 *       the end, by about half of one.
 *   <li>Who waits again and again within a millisecond would pay for a switch each time. Others are
 *       taken off the GPU until it makes a pause.
 * </ul>
 */
final class Habit {
  /**
   * What that comes to.
   *
   * @param waitsOften whether others have to be off the GPU while it has work
   * @param othersMicros how long others may have the GPU at a time
   */
  record Use(boolean waitsOften, long othersMicros) {
    static final Use USUAL = new Use(false, 1);
  }

  /** So many looks at some work before something is known of it. */
  private static final int FIRST_LOOKS = 4;

  private static final double KEPT = 0.75; // of what was seen before, at each look

  /** So many looks in a row say otherwise if the loading of a model is over, with all its waits. */
  private static final int ENOUGH = 2;

  private static final double LEAST_SYNCS = 20;
  private static final double OFTEN_NANOS = 1_000_000;
  private static final double NOT_OFTEN_NANOS = 2_000_000;
  private static final double MANY_LAUNCHES = 8;

  /** Eager PyTorch takes half of that for a launch; what takes longer keeps the GPU busy. */
  private static final double SHORT_NANOS = 60_000;

  /** Others delay it by half of that, on average. */
  private static final double PART_FOR_OTHERS = 0.05;

  /** Below, switching takes most of it. */
  private static final long SHORTEST_MICROS = 128;

  private long lastLaunched;
  private long lastSyncs;
  private long lastReadyNanos;
  private double launched;
  private double syncs;
  private double readyNanos;
  private int looks;
  private int looksThatSayOtherwise;
  private Use use = Use.USUAL;

  Use use() {
    return use;
  }

  boolean isKnown() {
    return looks >= FIRST_LOOKS;
  }

  /** Whether it launches much before it waits; if that takes long, the GPU has gaps meanwhile. */
  boolean launchesAhead() {
    return launched >= MANY_LAUNCHES * Math.max(1, syncs);
  }

  /**
   * To be called a few times a second with what was counted since the beginning, and at each pause
   * until it is known. Returns whether something was launched since the last time.
   */
  boolean look(long launchedNow, long syncsNow, long readyNanosNow) {
    long moreLaunched = launchedNow - lastLaunched;
    long moreSyncs = syncsNow - lastSyncs;
    long moreReady = readyNanosNow - lastReadyNanos;
    lastLaunched = launchedNow;
    lastSyncs = syncsNow;
    lastReadyNanos = readyNanosNow;
    if (moreLaunched <= 0 || moreSyncs < 0 || moreReady <= 0) {
      return moreLaunched > 0; // Nothing was seen, or the program writes nonsense.
    }
    boolean saysOtherwise =
        use.waitsOften() && moreReady > NOT_OFTEN_NANOS * Math.max(1, moreSyncs);
    looksThatSayOtherwise = saysOtherwise ? looksThatSayOtherwise + 1 : 0;
    double kept = looksThatSayOtherwise < ENOUGH ? KEPT : 0;
    launched = kept * launched + moreLaunched;
    syncs = kept * syncs + moreSyncs;
    readyNanos = kept * readyNanos + moreReady;
    looks = Math.min(looks + 1, FIRST_LOOKS);
    use = judge();
    return true;
  }

  private Use judge() {
    double between = readyNanos / Math.max(1, syncs);
    if (syncs >= LEAST_SYNCS && between < (use.waitsOften() ? NOT_OFTEN_NANOS : OFTEN_NANOS)) {
      return new Use(true, 1);
    }
    if (!launchesAhead() || readyNanos > SHORT_NANOS * launched) {
      return Use.USUAL;
    }
    // In powers of two: each change is a call to the driver.
    long micros = (long) Math.min(Mechanism.DRIVERS_MICROS, PART_FOR_OTHERS * between / 1_000);
    return micros < SHORTEST_MICROS ? Use.USUAL : new Use(false, Long.highestOneBit(micros));
  }
}
