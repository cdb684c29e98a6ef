package dev.xsched.policy.builtin;

import dev.xsched.policy.GoalState;
import dev.xsched.policy.Hint;
import dev.xsched.policy.QueueView;

/**
 * A program with a goal on one device, as {@link ServiceLevelObjective} remembers it: its requests,
 * what they take alone, and the pace of the background.
 *
 * <p>A request lasts from turning ready to turning idle; pauses below {@link #PAUSE_NANOS} are part
 * of it, because a program that launches slowly runs dry in between. A time is compared with what
 * it took, a ratio with what it took per command: so it does not matter for the ratio whether
 * requests are alike, follow each other without a pause, or never end. It was alone if nobody else
 * ran since before the request ahead of it: what was in flight then has drained by now.
 *
 * <p>Where the device slices and the program's waits are seen, what others add to them decides
 * about a ratio, and not which requests missed it: {@link Waits} says how.
 *
 * <p>An object is made anew for each decision, from the last one, and left alone from then on.
 */
final class Foreground {
  static final long PAUSE_NANOS = 200_000;

  /** The same where nothing happens at a pause, so that a host's hiccup cuts no request in two. */
  private static final long PAUSE_WITH_SLICES_NANOS = 500_000;

  /** So many requests alone before a ratio means anything; then, so many now and then. */
  private static final int FIRST_ALONE = 48;

  private static final int ALONE_AGAIN = 3;
  private static final int LEAST_BETWEEN = 256;
  private static final int MOST_BETWEEN = 2048;

  /** Nobody waits longer than this for a program with a goal to come back and be alone. */
  private static final long LONGEST_WAIT_NANOS = 1_000_000_000;

  /**
   * Of what a ratio allows beyond alone, so much is used: what was learned from some dozens of
   * requests is not exact. With 0.9, one goal in a hundred was missed by a percent (simulated).
   */
  private static final double CAREFUL = 0.75;

  /** The same where it is known what others add. With 1, twice as many were missed (simulated). */
  private static final double AIM = 0.9;

  // By so much, divided by the requests seen, a share may seem wrong before that is believed.
  private static final double DOUBT_OF_TOO_MUCH = 4;
  private static final double DOUBT_OF_TOO_LITTLE = 16;
  private static final double DOUBT_AT_FIRST = 8;
  private static final double MOST_GROWTH = 1.5;
  private static final int LEAST_BEFORE_DOUBT = 64;

  /** Who waits longer than that has a reason of its own. */
  private static final long YIELD_NANOS = 1_500_000;

  private static final int MOST_MERGED = 8;

  private static final long LONGEST_REQUEST_NANOS = 250_000_000;

  /** Of the requests alone, so many percent were as fast. */
  private static final int ALONE_PERCENT = 97;

  private static final int KEPT_ALONE = 64;
  private static final int KEPT = 200;
  private static final long NEVER = Long.MIN_VALUE;

  // Gathered from the snapshot.
  private long limitNanos = Hint.UNSET;
  private long ratio = Hint.UNSET;
  private boolean ready;
  private long readySinceNanos = Long.MAX_VALUE;
  private long updatedNanos = NEVER;
  private long ownUsedNanos;
  private long completed;
  private long waitedNanos;
  private boolean awaited;
  private boolean slices;

  // The request that is under way, or that ended without another one having begun.
  private boolean wasReady;
  private long sinceNanos = NEVER;
  private long sinceBeforeNanos = NEVER;
  private long idleNanos = NEVER;
  private boolean undisturbed;
  private long awaitedSinceNanos = NEVER;
  private long sharedNanos;
  private long completedBefore;
  private long commands;
  private long waitedBefore;
  private long merged = 1;
  private long seenNanos;
  private long othersUsedNanos;
  private long backgroundUsedNanos;
  private long othersRanNanos;

  // What was learned.
  private Recent recent = Recent.ofMost(KEPT);
  private Recent sizes = Recent.ofMost(KEPT_ALONE); // commands of a request
  private Recent perCommand = Recent.ofMost(KEPT); // picoseconds, as are those alone
  private Recent alone = Recent.ofMost(KEPT_ALONE);
  private Waits waits = Waits.UNKNOWN;
  private long mergedAlone = 1;
  private Pace pace;
  private long requests;
  private int untilAlone;
  private int aloneWanted = FIRST_ALONE;
  private int betweenAlone = LEAST_BETWEEN;
  private boolean isDoubted;
  private double intervalNanos = LONGEST_WAIT_NANOS;
  private Recent intervals = Recent.ofMost(2 * Pace.STEADY);
  private double sharedPart;

  /** One of which nothing is known yet. */
  Foreground(Pace pace, long nowNanos) {
    this.pace = pace;
    seenNanos = nowNanos;
    othersRanNanos = nowNanos;
  }

  /** The same at the next decision, before anything is gathered. */
  Foreground(Foreground last) {
    wasReady = last.ready;
    sinceNanos = last.sinceNanos;
    sinceBeforeNanos = last.sinceBeforeNanos;
    idleNanos = last.idleNanos;
    undisturbed = last.undisturbed;
    awaitedSinceNanos = last.awaitedSinceNanos;
    sharedNanos = last.sharedNanos;
    completedBefore = last.completedBefore;
    commands = last.commands;
    waitedBefore = last.waitedBefore;
    merged = last.merged;
    seenNanos = last.seenNanos;
    othersUsedNanos = last.othersUsedNanos;
    backgroundUsedNanos = last.backgroundUsedNanos;
    othersRanNanos = last.othersRanNanos;
    recent = last.recent;
    sizes = last.sizes;
    perCommand = last.perCommand;
    alone = last.alone;
    waits = last.waits;
    mergedAlone = last.mergedAlone;
    pace = last.pace;
    requests = last.requests;
    untilAlone = last.untilAlone;
    aloneWanted = last.aloneWanted;
    betweenAlone = last.betweenAlone;
    isDoubted = last.isDoubted;
    intervalNanos = last.intervalNanos;
    intervals = last.intervals;
    sharedPart = last.sharedPart;
  }

  /** Takes in one of its queues. */
  void gather(QueueView queue, long nowNanos) {
    limitNanos = Math.min(limitNanos, queue.hints().nanos(Hint.SLO_P99));
    ratio = Math.min(ratio, queue.hints().get(Hint.SLO_RATIO));
    updatedNanos = Math.max(updatedNanos, queue.updatedNanos());
    ownUsedNanos += queue.usedNanos(nowNanos);
    completed += queue.completed();
    waitedNanos += queue.waitedNanos();
    awaited |= queue.ready() && queue.awaited();
    if (queue.ready()) {
      ready = true;
      readySinceNanos = Math.min(readySinceNanos, queue.readySinceNanos());
    }
  }

  /** Takes in what others did, and notices requests that began or ended. */
  void observe(
      long nowNanos, long deviceUsedNanos, long newBackgroundUsedNanos, boolean deviceSlices) {
    slices = deviceSlices;
    if (!awaited) {
      awaitedSinceNanos = NEVER;
    } else if (awaitedSinceNanos == NEVER) {
      awaitedSinceNanos = nowNanos;
    }
    long others = deviceUsedNanos - ownUsedNanos;
    if (others != othersUsedNanos) {
      othersRanNanos = nowNanos;
    }
    if (wasReady) {
      long more = newBackgroundUsedNanos - backgroundUsedNanos;
      sharedNanos += Math.clamp(more, 0, Math.max(0, nowNanos - seenNanos));
    }
    if (wasReady && !ready) {
      stop(Math.max(sinceNanos, Math.min(nowNanos, updatedNanos)));
    }
    if (ready && !wasReady && sinceNanos == NEVER) {
      begin(readySinceNanos);
    } else if (ready && !wasReady && readySinceNanos - idleNanos >= pauseNanos()) {
      end();
      begin(readySinceNanos);
    }
    if (ready && nowNanos >= cutNanos()) {
      stop(nowNanos);
      end();
      begin(nowNanos);
    }
    othersUsedNanos = others;
    backgroundUsedNanos = newBackgroundUsedNanos;
    seenNanos = nowNanos;
  }

  private long pauseNanos() {
    return slices ? PAUSE_WITH_SLICES_NANOS : PAUSE_NANOS;
  }

  private void begin(long nanos) {
    if (sinceNanos != NEVER) {
      intervalNanos += ((double) (nanos - sinceNanos) / merged - intervalNanos) / 8;
      intervals = intervals.with(nanos - sinceNanos);
    }
    sinceBeforeNanos = sinceNanos;
    sinceNanos = nanos;
    sharedNanos = 0;
    completedBefore += commands;
    commands = 0;
  }

  /** It may go on after a pause; else this was its end. */
  private void stop(long nanos) {
    idleNanos = nanos;
    undisturbed = sinceBeforeNanos != NEVER && othersRanNanos < sinceBeforeNanos;
    commands = Math.max(0, completed - completedBefore);
  }

  private void end() {
    long took = Math.max(1, idleNanos - sinceNanos);
    long count = Math.max(1, commands);
    long typical = sizes.count() == 0 ? count : sizes.percentile(50);
    // Requests that follow each other closely look like one with more commands. If they come as
    // often as before, the last of them came when the time for it was.
    merged = Math.max(1, Math.round((double) count / typical));
    if (merged > MOST_MERGED) {
      merged = 1; // Rather, what was seen before was not a request's usual size.
    }
    long latency = Math.max(took / merged, took - Math.round((merged - 1) * intervalNanos));
    // Never 0, however many commands a program claims to have.
    long perCommandPicos = Math.max(1, latency * 1_000 * merged / count);
    requests += merged;
    sizes = sizes.with(count / merged);
    recent = recent.with(latency);
    perCommand = perCommand.with(perCommandPicos);
    // Not taken before the next one begins: a wait is told when it is over, maybe after the end.
    long waited = Math.clamp(waitedNanos - waitedBefore, 0, took) * 1_000 * merged / count;
    waitedBefore = waitedNanos;
    sharedPart += (Math.min(1.0, (double) sharedNanos / took) - sharedPart) / 16;
    if (undisturbed) {
      waits = waits.withAlone(perCommandPicos, waited);
      learn(perCommandPicos);
    }
    if (aloneWanted > 0) {
      // The first one without the others clears the way, the next ones count.
      aloneWanted -= undisturbed ? 1 : 0;
      untilAlone = betweenAlone;
    } else if (ratio != Hint.UNSET && (--untilAlone <= 0 || isDoubtful())) {
      aloneWanted = ALONE_AGAIN;
    }
    if (!undisturbed && (ratio == Hint.UNSET || alonePerCommand() != 0)) {
      waits = waits.with(perCommandPicos, waited);
      Pace next = judge(merged > mergedAlone + 1);
      waits = next.share() == pace.share() ? waits : waits.anew();
      pace = next;
    }
  }

  private Pace judge(boolean backlog) {
    long time = carefulLimitNanos();
    boolean late = recent.newest() > time;
    boolean clear = isClear(recent, time);
    if (!late && !backlog && ratio != Hint.UNSET && slices && waits.areKnown()) {
      return adapt(clear);
    }
    long limit = limitPerCommand(CAREFUL);
    boolean miss = late || backlog || perCommand.newest() > limit;
    return pace.after(miss, clear && isClear(perCommand, limit));
  }

  /**
   * What others add is about in proportion to their share, so that is scaled by what there is room
   * for; half of the way where there is more. The fewer requests were seen, the more must be wrong
   * before that, and the longer a wait is still to come.
   */
  private Pace adapt(boolean clear) {
    int seen = waits.added().count();
    if (seen < Pace.STEADY) {
      return pace.begun();
    }
    double slack = AIM * ((double) limitPerCommand(1) - alonePerCommand());
    double more = (double) waits.prolong(99) * (seen + 1) / (seen - 1);
    double room = slack / Math.max(slack / MOST_GROWTH, more);
    if (room < 1 / (1 + DOUBT_OF_TOO_MUCH / seen)) {
      return pace.scaled(room);
    }
    double doubt = pace.isFirst() ? DOUBT_AT_FIRST : DOUBT_OF_TOO_LITTLE;
    boolean grows = clear && room > 1 + doubt / seen;
    return pace.scaled(!grows ? 1 : pace.isFirst() ? room : (1 + room) / 2);
  }

  /** Whether others may be at fault although nobody seems to wait for them. */
  private boolean isDoubtful() {
    long limit = (long) (alone.percentile(ALONE_PERCENT) * ratio / 1e3);
    return betweenAlone - untilAlone >= LEAST_BEFORE_DOUBT && waits.areLateAlone(limit);
  }

  private void learn(long perCommandPicos) {
    alone = alone.with(perCommandPicos);
    mergedAlone = Math.max(mergedAlone, merged);
    if (aloneWanted != 1 || alone.count() <= FIRST_ALONE) {
      return;
    }
    Recent now = alone.latest(ALONE_AGAIN);
    Recent before = alone.before(ALONE_AGAIN);
    boolean explained = waits.explain(now);
    if (waits.areKnown() && !explained && !isDoubted) {
      isDoubted = true; // A host may have been faster for a moment.
      betweenAlone = LEAST_BEFORE_DOUBT;
      return;
    }
    isDoubted = false;
    waits = explained ? waits : Waits.UNKNOWN;
    // Where nothing has changed, that happens once in 30 times, and costs little.
    if (now.smallest() <= before.percentile(75) && now.largest() >= before.percentile(25)) {
      betweenAlone = Math.min(MOST_BETWEEN, 2 * betweenAlone);
      return;
    }
    betweenAlone = LEAST_BETWEEN;
    if (explained) {
      alone = waits.own().latest(KEPT_ALONE);
    } else {
      alone = now;
      aloneWanted = FIRST_ALONE;
    }
  }

  /** Whether the latest used less than nine tenths of what they have beyond the least. */
  private static boolean isClear(Recent samples, long limit) {
    long least = Math.min(limit, samples.smallest());
    long used = samples.latest(2 * Pace.STEADY).largest() - least;
    return used <= (limit - least) / 10 * 9;
  }

  /** Where that can be told, by what the latest requests would have taken alone. */
  private long alonePerCommand() {
    Recent samples = slices && waits.areKnown() ? waits.own() : alone;
    return alone.count() < FIRST_ALONE ? 0 : samples.percentile(ALONE_PERCENT);
  }

  /** What that part of the ratio allows for one command, in picoseconds; none if not known. */
  private long limitPerCommand(double part) {
    long limit = (long) (alonePerCommand() * (1 + (ratio / 1e3 - 1) * part));
    return ratio == Hint.UNSET || limit == 0 ? Hint.UNSET : limit;
  }

  /** The same for a request of the usual size, and with the time that was given. */
  private long goalNanos(double part) {
    return Math.min(limitNanos, ofTypical(limitPerCommand(part)));
  }

  /** The time that was given, less a little of what it leaves beyond the shortest request. */
  private long carefulLimitNanos() {
    long least = Math.min(limitNanos, recent.smallest());
    return limitNanos == Hint.UNSET ? limitNanos : limitNanos - (limitNanos - least) / 10;
  }

  private long ofTypical(long perCommandPicos) {
    return perCommandPicos == Hint.UNSET
        ? Hint.UNSET
        : Math.round(perCommandPicos / 1e3 * sizes.percentile(50));
  }

  boolean ready() {
    return ready;
  }

  /** Whether it is at work, or was so lately that it may soon be back. */
  boolean atWorkLately(long nowNanos) {
    return ready
        || (sinceNanos != NEVER && nowNanos - Math.max(sinceNanos, idleNanos) < LONGEST_WAIT_NANOS);
  }

  /**
   * Part of the time that the background gets while this one is at work: none once it is late.
   *
   * @param stands whether that is given by an order that stands, also between requests
   */
  double share(long nowNanos, boolean stands) {
    boolean late = (ready ? nowNanos : idleNanos) >= lateNanos(stands);
    return wantsToBeAlone() || late ? 0 : pace.share();
  }

  /** Part of the time of the latest requests in which the background was let in. */
  double sharedPart() {
    return sharedPart;
  }

  /** When to look again at a request that goes on. */
  long nextLookNanos(long nowNanos, boolean stands) {
    long late = lateNanos(stands);
    return nowNanos < late ? Math.min(late, cutNanos()) : cutNanos();
  }

  private long lateNanos(boolean stands) {
    if (stands) {
      // An order is not changed within a request, unless that takes twice its goal: then the device
      // has more to do than it can, and the backlog would grow for as long as the others go on.
      return Times.after(Times.after(sinceNanos, goalNanos(1)), goalNanos(1));
    }
    long goal = goalNanos(CAREFUL);
    long least = Math.min(goal, recent.smallest());
    return Times.after(sinceNanos, goal == Hint.UNSET ? goal : least + (goal - least) / 4 * 3);
  }

  /** How long the request under way has been. */
  long ageNanos(long nowNanos) {
    return Math.max(0, nowNanos - sinceNanos);
  }

  /** Until when nobody else is to run, so that the next request is alone; in the past: no need. */
  long aloneUntilNanos() {
    if (!wantsToBeAlone() || sinceNanos == NEVER) {
      return NEVER;
    }
    // A request may look like two with a short pause, so the usual interval is not enough.
    long longest = intervals.count() == 0 ? LONGEST_WAIT_NANOS : 2 * intervals.largest();
    return sinceNanos + Math.min(LONGEST_WAIT_NANOS, longest);
  }

  /**
   * Until when nobody else is to begin anything, because this program waits for what it launched;
   * in the past: no need. Only who is bound by its own launching: what it waits then is short, and
   * would be longer by what others have in flight, where others would wait for nothing all the time
   * beside a program that keeps the device busy.
   */
  long yieldUntilNanos() {
    return slices && awaitedSinceNanos != NEVER && isBoundByItsHost()
        ? awaitedSinceNanos + YIELD_NANOS
        : NEVER;
  }

  private boolean isBoundByItsHost() {
    return waits.areKnown() && waits.alone().percentile(50) <= waits.own().percentile(50) / 5;
  }

  private boolean wantsToBeAlone() {
    return ratio != Hint.UNSET && aloneWanted > 0;
  }

  /** When a request is cut that does not end by itself, as if another one began. */
  private long cutNanos() {
    long longest = Math.max(LONGEST_REQUEST_NANOS, limitNanos == Hint.UNSET ? 0 : 2 * limitNanos);
    return Times.after(sinceNanos, longest);
  }

  GoalState state(double backgroundPart) {
    long goal = goalNanos(1);
    return new GoalState(
        goal == Hint.UNSET ? 0 : goal,
        recent.percentile(99),
        ofTypical(alonePerCommand()),
        requests,
        (int) Math.round(100 * backgroundPart));
  }
}
