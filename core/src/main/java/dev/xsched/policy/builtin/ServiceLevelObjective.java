package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Policy;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * SLO: programs with a goal run whenever they want; the others get all that the goals leave.
 *
 * <p>While no program with a goal has work, the others run as under HPF. While one has, they get
 * short turns, and the part of the time that these make up, their share, is adjusted request by
 * request so that 99 of 100 requests keep the goal: see {@link Pace} for the law. So a program that
 * is bound by its own launching, which has work all the time and the device idle for most of it,
 * does not hold the others back for nothing. Where several programs have goals, they share among
 * themselves, and the most careful one decides.
 *
 * <p>On a device that {@linkplain Snapshot#slices slices} there are no turns: the others go on as
 * if nobody had a goal, and the device itself gives them that share, at whatever moment suits it.
 * Only while a program that is bound by its launching waits for the last of that, which it does for
 * a moment at the end of a request, they begin nothing: see {@link Foreground#yieldUntilNanos}.
 *
 * <p>A goal is a time, or a ratio to what requests take alone. That is learned: first, and now and
 * then again, the others are held back over a few requests and the pauses between.
 *
 * <p><b>When:</b> a service has a latency to keep, and whatever can be had beside it is welcome.
 * <b>Cost:</b> two passes over the queues, and, without slices, two wake-ups per turn of {@link
 * #TURN_NANOS} while both sides have work. A goal that strict priority does not keep is not kept,
 * and then the others get what strict priority leaves. <b>Origin:</b> ours; additive increase and
 * multiplicative decrease from congestion control (Chiu and Jain, 1989), the budget of misses from
 * the error budgets of service operators.
 */
public final class ServiceLevelObjective implements Policy {
  /** A turn of the background, or a pause between two, is never shorter than this. */
  static final long TURN_NANOS = 250_000;

  /** Above every priority. */
  private static final int TOP = (int) Hint.PRIORITY.max() + 1;

  private static final double ALWAYS = 0.98;

  private final Pace firstPace;

  public ServiceLevelObjective() {
    this(Pace.STRICT);
  }

  ServiceLevelObjective(Pace firstPace) {
    this.firstPace = firstPace;
  }

  private record Key(long process, int device) {}

  /** What a device's programs with goals leave to the others. */
  private static final class Rest {
    /** The highest priority of those that have work. */
    int highest = Hint.NO_EXECUTE;

    /** Whether a program with a goal has work. */
    boolean beside;

    /** Whether the device itself gives the others their share. */
    boolean slices;

    double share = 1;
    boolean lately;
    long ageNanos;
    long closedUntilNanos = Long.MIN_VALUE;
    long lookNanos = Decision.NEVER;

    /** Set once all are known. */
    boolean open;

    /**
     * The share stands while nobody is at work, too, so that it is in force when the next request
     * begins. Who was at work lately decides, the most careful of them; if nobody was, all do.
     */
    void stand(double newShare, boolean newLately) {
      if (newLately && !lately) {
        lately = true;
        share = newShare;
      } else if (newLately == lately) {
        share = Math.min(share, newShare);
      }
    }
  }

  @Override
  public String name() {
    return "SLO";
  }

  @Override
  public String summary() {
    return "programs with a latency goal keep it; the rest gets all that this leaves, per device";
  }

  @Override
  public Decision decide(Snapshot snapshot) {
    Map<Key, Foreground> foregrounds = gather(snapshot);
    if (foregrounds.isEmpty()) {
      return Ranks.runHighest(snapshot, Ranks.Arena.DEVICE, queue -> queue.hints().priority());
    }
    Rest[] rests = observe(snapshot, foregrounds);
    long wake = Decision.NEVER;
    for (Rest rest : rests) {
      long next = Math.min(open(rest, snapshot.nowNanos()), rest.lookNanos);
      wake = rest.highest == Hint.NO_EXECUTE ? wake : Math.min(wake, next);
    }
    return answer(snapshot, foregrounds, rests).wakeAt(wake).ranksMayChange().build();
  }

  private Map<Key, Foreground> gather(Snapshot snapshot) {
    Map<Key, Foreground> foregrounds = new HashMap<>();
    for (QueueView queue : snapshot.queues()) {
      if (isForeground(queue)) {
        foregrounds
            .computeIfAbsent(key(queue), key -> recall(key, snapshot))
            .gather(queue, snapshot.nowNanos());
      }
    }
    return foregrounds;
  }

  private Foreground recall(Key key, Snapshot snapshot) {
    return snapshot.memory() instanceof Map<?, ?> map && map.get(key) instanceof Foreground last
        ? new Foreground(last)
        : new Foreground(firstPace, snapshot.nowNanos());
  }

  private static Rest[] observe(Snapshot snapshot, Map<Key, Foreground> foregrounds) {
    long now = snapshot.nowNanos();
    long[] used = new long[snapshot.devices()];
    long[] backgroundUsed = new long[snapshot.devices()];
    Rest[] rests = new Rest[snapshot.devices()];
    for (int device = 0; device < rests.length; device++) {
      rests[device] = new Rest();
    }
    for (QueueView queue : snapshot.queues()) {
      long nanos = queue.usedNanos(now);
      used[queue.device()] += nanos;
      if (!isForeground(queue)) {
        backgroundUsed[queue.device()] += nanos;
        Rest rest = rests[queue.device()];
        rest.highest =
            queue.ready() ? Math.max(rest.highest, queue.hints().priority()) : rest.highest;
      }
    }
    foregrounds.forEach(
        (key, foreground) -> {
          int device = key.device();
          Rest rest = rests[device];
          rest.slices = snapshot.slices(device);
          foreground.observe(now, used[device], backgroundUsed[device], rest.slices);
          long closed = Math.max(foreground.aloneUntilNanos(), foreground.yieldUntilNanos());
          rest.closedUntilNanos = Math.max(rest.closedUntilNanos, closed);
          double share = foreground.share(now, rest.slices);
          if (rest.slices) {
            rest.stand(share, foreground.atWorkLately(now));
          }
          if (foreground.ready()) {
            rest.lookNanos = Math.min(rest.lookNanos, foreground.nextLookNanos(now, rest.slices));
            rest.beside = true;
            rest.share = Math.min(rest.share, share);
            rest.ageNanos = Math.max(rest.ageNanos, foreground.ageNanos(now));
          }
        });
    return rests;
  }

  /** Decides whether the others run now; returns when that is to be asked again. */
  private static long open(Rest rest, long now) {
    if (now < rest.closedUntilNanos) {
      rest.open = false;
      return rest.closedUntilNanos;
    }
    if (rest.slices || rest.share <= 0 || rest.share >= ALWAYS) {
      rest.open = rest.slices || rest.share > 0;
      return Decision.NEVER;
    }
    double odds = rest.share / (1 - rest.share);
    long turn = (long) (TURN_NANOS * Math.max(1, odds));
    long pause = (long) (TURN_NANOS * Math.max(1, 1 / odds));
    // The first turn comes soon: so all requests bear the same, not the long ones alone.
    long phase = (rest.ageNanos + pause - TURN_NANOS) % (pause + turn);
    rest.open = phase >= pause;
    long next = rest.open ? pause + turn - phase : pause - phase;
    return Times.wakeUp(now, (double) next);
  }

  /**
   * Programs with goals are ranked above all others. While these have a turn beside them, the most
   * important of the others are ranked as high, so that nobody stops anybody. With slices, the
   * device does not stop them.
   */
  private static Decision.Builder answer(
      Snapshot snapshot, Map<Key, Foreground> foregrounds, Rest[] rests) {
    List<QueueView> queues = snapshot.queues();
    int[] ranks = new int[queues.size()];
    Decision.Builder decision = Decision.builder().rank(ranks, false).remember(foregrounds);
    for (int device = 0; device < rests.length; device++) {
      if (rests[device].slices) {
        decision.share(device, rests[device].share);
      }
    }
    for (int i = 0; i < ranks.length; i++) {
      QueueView queue = queues.get(i);
      Rest rest = rests[queue.device()];
      boolean first = queue.hints().priority() >= rest.highest;
      Foreground foreground = isForeground(queue) ? foregrounds.get(key(queue)) : null;
      if (foreground != null) {
        ranks[i] = TOP;
        double given = rest.slices ? rest.share : foreground.sharedPart();
        decision.run(i).goal(i, foreground.state(given));
      } else {
        boolean turn = rest.open && rest.beside && !rest.slices;
        ranks[i] = turn && first ? TOP : queue.hints().priority();
        if (rest.open && first && queue.hints().executes()) {
          decision.run(i);
        }
      }
    }
    return decision;
  }

  private static boolean isForeground(QueueView queue) {
    return queue.hints().executes() && queue.hints().hasGoal();
  }

  private static Key key(QueueView queue) {
    return new Key(queue.process().id(), queue.device());
  }
}
