package dev.xsched.daemon;

import dev.xsched.link.Gpu;

/**
 * Has the GPU turn to a program before its requests come, if these come evenly. From lower ranks
 * the GPU turns by itself when a request is there, which takes an H200 0.15 to 0.2 ms each time.
 * That is spared to who is expected; the others lose what the GPU waits.
 */
final class Anticipation {
  /** A switch takes 0.2 ms, and some requests come a little before they are expected. */
  private static final long LEAD_NANOS = 300_000;

  /** Programs wake up late now and then, too; it costs something only if they do. */
  private static final long SLACK_NANOS = 1_000_000;

  /** Orders are renewed well before; if the daemon dies, that is how long they last. */
  private static final long ORDER_NANOS = 1_000_000_000;

  /** To renew an order wakes two threads of the program. */
  private static final long CLOSE_NANOS = 20_000;

  /** Who is so much later than expected has made a pause. */
  private static final double PAUSE = 2.5;

  private static final double KEPT = 0.9; // of what was seen before, at each look
  private static final double LEAST_TURNS = 8;
  private static final double MOST_IN_VAIN = 0.125; // of them

  private final Retreat retreat = new Retreat();
  private long turnsBefore;
  private long inVainBefore;
  private double turns;
  private double inVain;
  private Gpu.Early order = Gpu.Early.NONE;

  /** Whether the GPU is to turn before requests come now. */
  boolean expects() {
    return order.every() != 0;
  }

  /**
   * To be called a few times a second.
   *
   * @param begun when the last requests began, the oldest first; empty if the GPU is not to turn
   *     early in any case
   * @param turnsNow how often it did, since the beginning
   * @param inVainNow of these, how often no request came
   */
  Gpu.Early look(long[] begun, long turnsNow, long inVainNow, long nowNanos) {
    judge(turnsNow, inVainNow, nowNanos);
    Rhythm rhythm = retreat.leftNanos(nowNanos) > 0 ? null : Rhythm.of(begun);
    if (rhythm == null || pauses(rhythm, nowNanos)) {
      order = Gpu.Early.NONE;
    } else if (order.until() - nowNanos < ORDER_NANOS / 2 || isOff(rhythm)) {
      order =
          new Gpu.Early(
              rhythm.lastNanos() + rhythm.everyNanos(),
              rhythm.everyNanos(),
              LEAD_NANOS,
              SLACK_NANOS,
              nowNanos + ORDER_NANOS);
    }
    return order;
  }

  /** Whether the order that stands is too early or too late for it by now. */
  private boolean isOff(Rhythm found) {
    long since = Math.floorMod(found.lastNanos() - order.at(), order.every());
    return Math.min(since, order.every() - since) > CLOSE_NANOS;
  }

  private static boolean pauses(Rhythm rhythm, long nowNanos) {
    long since = nowNanos - rhythm.lastNanos();
    return since < -rhythm.everyNanos() || since > PAUSE * rhythm.everyNanos();
  }

  /** A request that waits for the GPU before it launches anything would be delayed each time. */
  private void judge(long turnsNow, long inVainNow, long nowNanos) {
    double moreTurns = Math.max(0, turnsNow - turnsBefore);
    double moreInVain = Math.max(0, inVainNow - inVainBefore);
    turnsBefore = turnsNow;
    inVainBefore = inVainNow;
    if (moreTurns + moreInVain == 0) {
      return;
    }
    turns = KEPT * turns + moreTurns;
    inVain = KEPT * inVain + moreInVain;
    if (turns < LEAST_TURNS) {
      return;
    }
    if (inVain > MOST_IN_VAIN * turns) {
      turns = 0;
      inVain = 0;
      retreat.begin(nowNanos);
    } else {
      retreat.forget();
    }
  }
}
