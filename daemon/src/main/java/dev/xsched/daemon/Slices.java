package dev.xsched.daemon;

import dev.xsched.daemon.Mechanism.Contender;
import dev.xsched.daemon.Mechanism.Kind;
import dev.xsched.daemon.Mechanism.Work;
import dev.xsched.policy.Decision;
import dev.xsched.policy.QueueView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Orders time slices, and knows which gates they replace. Until the programs say that the slices
 * are in force, gates do it. On a GPU without slices it orders priorities, which replace no gate.
 */
final class Slices {
  /** Of equal ones, while slices set others apart from them; the daemon looks this often. */
  private static final long TURN_NANOS = 100_000_000;

  /** The highest rank is left in peace for so long, then it is taken for one that never pauses. */
  private static final long PEACE_NANOS = 20_000_000;

  private static final String BY_QUEUES = "work that outlasts an interrupt is taken off the GPU";

  private final Map<Long, ManagedQueue> queues;
  private boolean used;
  private long orders;
  private BitSet covered = new BitSet();
  private BitSet apart = new BitSet();
  private BitSet telling = new BitSet();
  private BitSet early = new BitSet();
  private BitSet opened = new BitSet();
  private BitSet stopped = new BitSet();
  private BitSet outranked = new BitSet();
  private BitSet sharing = new BitSet();
  private BitSet slicing = new BitSet();

  Slices(Map<Long, ManagedQueue> queues) {
    this.queues = queues;
  }

  /**
   * Told of each queue; until one has a GPU, decisions cost nothing more. Returns whether this is
   * the first one.
   */
  boolean notice(ManagedQueue queue) {
    boolean first = !used && queue.gpu() != null;
    used |= first;
    return first;
  }

  boolean used() {
    return used;
  }

  /** How often another slice was ordered. */
  long orders() {
    return orders;
  }

  /** Chooses anew for all devices; returns whether other queues are covered or set apart. */
  boolean follow(Decision.@Nullable Ranking ranking, List<QueueView> views) {
    if (!used) {
      return false;
    }
    BitSet coveredBefore = covered;
    BitSet apartBefore = apart;
    BitSet tellingBefore = telling;
    BitSet earlyBefore = early;
    BitSet sharingBefore = sharing;
    covered = new BitSet();
    apart = new BitSet();
    telling = new BitSet();
    early = new BitSet();
    opened = new BitSet();
    stopped = new BitSet();
    outranked = new BitSet();
    sharing = new BitSet();
    slicing = new BitSet();
    long now = System.nanoTime();
    byDevice(views, now).forEach(places -> choose(places, ranking, views, now));
    return !covered.equals(coveredBefore)
        || !apart.equals(apartBefore)
        || !telling.equals(tellingBefore)
        || !early.equals(earlyBefore)
        || !sharing.equals(sharingBefore);
  }

  /** Whether slices are in force for the queue at this place of the snapshot. */
  boolean covers(int place) {
    return covered.get(place);
  }

  boolean setsApart(int place) {
    return apart.get(place);
  }

  boolean opens(int place) {
    return opened.get(place);
  }

  /** Whether the policy says itself what others get; it may also stop them. */
  boolean shares(int place) {
    return sharing.get(place);
  }

  /** The devices on which that could be. */
  BitSet slicing() {
    return slicing;
  }

  /**
   * Whether this one, which is set apart, is to tell of its pauses: others are interrupted but for
   * these, or how it uses the GPU is to be learned, or it launches so much that it matters how long
   * it takes for that.
   */
  boolean tellsPauses(int place) {
    return telling.get(place);
  }

  /** Whether the GPU may turn to this one, which is set apart, before its requests come. */
  boolean turnsEarly(int place) {
    return early.get(place);
  }

  /** Whether the queue's work is to be off the GPU now, although its gate may be open. */
  boolean interrupts(int place) {
    return stopped.get(place);
  }

  /**
   * Whether the highest rank has the GPU now. Then it makes no difference to this queue whether its
   * work is off the GPU, and taking it off, or putting it back, may disturb the highest one.
   */
  boolean isOutranked(int place) {
    return outranked.get(place);
  }

  /**
   * The places of queues on the same device, where one of them is a GPU that shows itself. Who
   * offers nothing and has been idle for a while is left out: it would keep the others from slices
   * for nothing.
   */
  private List<List<Integer>> byDevice(List<QueueView> views, long now) {
    Map<Integer, List<Integer>> all = new LinkedHashMap<>();
    BitSet wanted = new BitSet();
    for (int i = 0; i < views.size(); i++) {
      ManagedQueue queue = queues.get(views.get(i).id());
      if (queue != null && queue.gpu() != null) {
        wanted.set(views.get(i).device());
      }
    }
    for (int i = 0; !wanted.isEmpty() && i < views.size(); i++) {
      ManagedQueue queue = queues.get(views.get(i).id());
      if (queue != null && !queue.offersInterrupts() && queue.rests(now)) {
        queue.setMechanism(Kind.GATE, "it has had no work for a while");
        order(queue, 0);
        queue.orderPriority(0);
      } else if (wanted.get(views.get(i).device())) {
        all.computeIfAbsent(views.get(i).device(), _ -> new ArrayList<>()).add(i);
      }
    }
    return List.copyOf(all.values());
  }

  private void choose(
      List<Integer> places, Decision.@Nullable Ranking ranking, List<QueueView> views, long now) {
    int device = views.get(places.getFirst()).device();
    double share = ranking == null ? Double.NaN : ranking.share(device);
    boolean stands =
        ranking != null
            && !ranking.acrossDevices()
            && !(ranking.mayChange() && Double.isNaN(share));
    List<Contender> all = new ArrayList<>();
    for (int place : places) {
      QueueView view = views.get(place);
      ManagedQueue queue = queues.get(view.id());
      all.add(
          new Contender(
              ranking == null ? 0 : ranking.rank(place),
              view.hints().executes(),
              view.wantsToRun(),
              queue == null || queue.rests(now),
              queue != null && queue.offersSlices(),
              queue == null ? 0 : queue.sliceMicros(),
              queue == null ? Habit.Use.USUAL : queue.use(now),
              queue == null ? Work.OFF : queue.work(now),
              queue != null && queue.isPatient(now)));
    }
    slicing.set(device, Mechanism.isOffered(all));
    Mechanism mechanism = Mechanism.of(all, stands, share);
    Priorities priorities = Priorities.of(all, stands && offerPriorities(places, views));
    boolean inForce = mechanism.isInForce(all);
    boolean stops = mechanism.interruptsOthers(all);
    boolean inPeace = inForce && !stops && isAtWork(mechanism, all, places, views, now);
    int only = mechanism.onlyOne(all, now / TURN_NANOS);
    Kind kind = inForce ? mechanism.kind() : Kind.GATE;
    String reason =
        mechanism.bySlices() && !inForce
            ? "time slices are ordered, and gates do it until they are in force"
            : mechanism.reason();
    for (int i = 0; i < all.size(); i++) {
      int place = places.get(i);
      ManagedQueue queue = queues.get(views.get(place).id());
      if (queue != null) {
        queue.setMechanism(kind, queue.offersPriority() ? BY_QUEUES : reason + expected(queue));
        order(queue, mechanism.slice(all.get(i)));
        queue.orderPriority(priorities.order(all.get(i)));
      }
      covered.set(place, inForce);
      apart.set(place, inForce && mechanism.setsApart(all.get(i)));
      opened.set(place, inForce && mechanism.opens(all.get(i), all));
      sharing.set(place, inForce && !Double.isNaN(share));
      boolean learns = queue != null && (!queue.habit.isKnown() || queue.habit.launchesAhead());
      telling.set(place, apart.get(place) && (mechanism.stops() || learns));
      early.set(place, apart.get(place) && mechanism.turnsEarly());
      boolean waits = only >= 0 && only != i && mechanism.opens(all.get(i), all);
      boolean below = mechanism.isOutranked(all.get(i), all);
      stopped.set(place, inForce && !apart.get(place) && (stops || waits || below));
      outranked.set(place, inPeace && !apart.get(place));
      if (queue != null) {
        boolean held = inForce && all.get(i).executes() && !opened.get(place);
        queue.setAwaiting(held && !below, now);
        if (stopped.get(place)) {
          queue.interruptReason =
              stops
                  ? "the highest rank waits for the GPU so often"
                  : below ? "a higher rank has work" : "programs of equal rank take turns";
        }
      }
    }
  }

  /** Without how often: each other text is a change on the timeline and a series of metrics. */
  private static String expected(ManagedQueue queue) {
    return queue.anticipation.expects() ? ", and the GPU turns to it before its requests come" : "";
  }

  /** Whether one of the highest rank has had work for a short time. */
  private boolean isAtWork(
      Mechanism mechanism,
      List<Contender> all,
      List<Integer> places,
      List<QueueView> views,
      long now) {
    return IntStream.range(0, all.size())
        .filter(i -> all.get(i).ready() && mechanism.setsApart(all.get(i)))
        .mapToLong(i -> now - views.get(places.get(i)).readySinceNanos())
        .anyMatch(nanos -> nanos < PEACE_NANOS);
  }

  private void order(ManagedQueue queue, long micros) {
    orders += queue.orderSlice(micros) ? 1 : 0;
  }

  /** Whether all that are ever to run do so, which is the case on AMD's GPUs. */
  private boolean offerPriorities(List<Integer> places, List<QueueView> views) {
    return places.stream()
        .map(views::get)
        .filter(view -> view.hints().executes())
        .map(view -> queues.get(view.id()))
        .allMatch(queue -> queue != null && queue.offersPriority());
  }
}
