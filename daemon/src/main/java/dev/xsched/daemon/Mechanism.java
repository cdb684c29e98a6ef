package dev.xsched.daemon;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the queues of one device are kept apart: by gates in front of launches, which every program
 * has, or by the GPU itself, where every program offers that.
 *
 * <p>Slices need no call per request, and stop what is running, too: with 1 s for the high program
 * and 1 us for the low one, an H200 switches to the high one as soon as that has work and back when
 * it has none. They know two kinds of programs only. So those of the highest rank are set apart
 * from all others, whom they preempt without a gate. Of the others only one may have work on the
 * GPU at a time: with a microsecond each, it would do nothing but switch between them, also while
 * the highest rank comes and waits for the end of such a switch. So whoever has to wait is
 * interrupted, and the one that goes before it is let in while that is under way. {@link Habit}
 * says for whom others get longer slices, and for whom they are interrupted although they have
 * slices.
 *
 * @param bySlices false: by gates alone
 * @param highest the rank that is set apart
 * @param highMicros the slice of who has it; 0 leaves it to the driver
 * @param lowMicros the slice of all others
 * @param stops whether these are interrupted while the highest has work
 * @param reason why it is not by slices, or what they do
 */
record Mechanism(
    boolean bySlices, int highest, long highMicros, long lowMicros, boolean stops, String reason) {
  private static final long HIGH_MICROS = 1_000_000;

  /** What does it, in one word; people see these. */
  enum Kind {
    GATE("gate"),
    SLICES("slices"),
    /** Slices, and others are interrupted while the highest rank has work. */
    INTERRUPT("interrupt");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /** What everybody has where nobody scheduled, on an H200 with driver 580.159. */
  static final long DRIVERS_MICROS = 2048;

  /** What a share of 1 comes to: a switch costs less the less often it comes. */
  private static final long MOST_MICROS = 2 * DRIVERS_MICROS;

  private static final long STEP_MICROS = 64;

  /** Where a queue's work is. */
  enum Work {
    ON_GPU,
    /** The driver is about to take it off. */
    LEAVING,
    OFF
  }

  /**
   * A queue, as far as that matters here.
   *
   * @param executes false for one that is never to run
   * @param rests whether it had no work for a while
   * @param sliceMicros what is in force for it, 0 if that is the driver's own
   * @param patient whether it can be held back until others are off the GPU
   */
  record Contender(
      int rank,
      boolean executes,
      boolean ready,
      boolean rests,
      boolean offersSlices,
      long sliceMicros,
      Habit.Use use,
      Work work,
      boolean patient) {}

  /** Whether the programs on a device all can be kept apart by slices. */
  static boolean isOffered(List<Contender> all) {
    return all.stream().filter(Contender::executes).allMatch(Contender::offersSlices);
  }

  /**
   * Chooses for one device.
   *
   * @param ranksStand unless they may change by themselves
   * @param share of the device for those below the highest rank, if the policy says so; else not a
   *     number
   */
  static Mechanism of(List<Contender> all, boolean ranksStand, double share) {
    List<Contender> contenders = all.stream().filter(Contender::executes).toList();
    if (!isOffered(all)) {
      return gates("not every program on the device offers time slices");
    }
    if (!ranksStand) {
      return gates("the policy has no ranks that stand");
    }
    int highest = contenders.stream().mapToInt(Contender::rank).max().orElse(0);
    List<Contender> high = contenders.stream().filter(c -> c.rank() == highest).toList();
    if (high.size() == contenders.size()) {
      return gates("nobody on the device is ranked higher than others");
    }
    List<Contender> awake = high.stream().filter(c -> !c.rests()).toList();
    // Equal ones would otherwise wait for each other for as long as that.
    long highMicros = awake.size() < 2 ? HIGH_MICROS : 0;
    List<Contender> decisive = awake.isEmpty() ? high : awake;
    boolean stops = decisive.stream().anyMatch(c -> c.use().waitsOften());
    long lowMicros = decisive.stream().mapToLong(c -> c.use().othersMicros()).min().orElse(1);
    if (!Double.isNaN(share)) {
      // Less than the habit's serves nobody. In steps: each change is a call to the driver.
      long exact = lowMicros + Math.round(share * (MOST_MICROS - lowMicros));
      long micros = Math.max(lowMicros, exact - exact % STEP_MICROS);
      String how = "the goal leaves %d us at a time to others".formatted(micros);
      return new Mechanism(true, highest, highMicros, micros, stops && share == 0, how);
    }
    String how =
        stops
            ? "the highest rank waits for the GPU so often that others are interrupted meanwhile"
            : lowMicros == 1
                ? "the highest rank preempts by time slices"
                : "the highest rank preempts by time slices, and leaves gaps of %d us"
                    .formatted(lowMicros);
    return new Mechanism(true, highest, highMicros, lowMicros, stops, how);
  }

  private static Mechanism gates(String reason) {
    return new Mechanism(false, 0, 0, 0, false, reason);
  }

  Kind kind() {
    return !bySlices ? Kind.GATE : stops ? Kind.INTERRUPT : Kind.SLICES;
  }

  long slice(Contender contender) {
    if (!bySlices || !contender.executes()) {
      return 0;
    }
    return contender.rank() == highest ? highMicros : lowMicros;
  }

  /**
   * Whether the programs have done what they were told, so that gates need not do it. Any slice of
   * ours is short enough for who is not of the highest rank, and the driver's is long enough for
   * who is: a new program hears of its own at its second launch, and to stop the others until then
   * would take longer. Who rests may never have heard of it: nothing of ours runs in a program that
   * launches nothing.
   */
  boolean isInForce(List<Contender> all) {
    return bySlices
        && all.stream()
            .filter(c -> c.executes() && !c.rests())
            .allMatch(
                c ->
                    c.rank() == highest
                        ? c.sliceMicros() == 0 || c.sliceMicros() == highMicros
                        : c.sliceMicros() != 0 && c.sliceMicros() < HIGH_MICROS);
  }

  /**
   * Whether the GPU may turn to who is set apart before there is work: to nobody else's expense.
   */
  boolean turnsEarly() {
    return bySlices && !stops && highMicros == HIGH_MICROS;
  }

  /** Whether others need not be held back for this queue's sake, nor it for theirs. */
  boolean setsApart(Contender contender) {
    return bySlices && contender.executes() && contender.rank() == highest;
  }

  /**
   * Whether its gate is open once slices are in force. Who is set apart holds back nobody, and is
   * held back only if it waits often, until the others are off the GPU. Of these, each is let in
   * when nobody of a higher rank has work and those of lower ranks are about to be off the GPU:
   * some time goes by until the work of who is let in is there.
   */
  boolean opens(Contender contender, List<Contender> all) {
    if (!contender.executes()) {
      return false;
    }
    if (setsApart(contender)) {
      return !contender.use().waitsOften() || others(all).allMatch(c -> c.work() == Work.OFF);
    }
    return !isOutranked(contender, all)
        && (!contender.patient()
            || others(all)
                .filter(c -> c.rank() < contender.rank())
                .noneMatch(c -> c.work() == Work.ON_GPU));
  }

  /** Whether somebody else of those who are not set apart has work and goes before it. */
  boolean isOutranked(Contender contender, List<Contender> all) {
    return !setsApart(contender) && others(all).anyMatch(c -> c.rank() > contender.rank());
  }

  /** Those who have work and are not set apart. */
  private Stream<Contender> others(List<Contender> all) {
    return all.stream().filter(c -> c.executes() && c.ready() && !setsApart(c));
  }

  /** Whether all that are not of the highest rank are off the GPU now. */
  boolean interruptsOthers(List<Contender> all) {
    return stops && all.stream().anyMatch(c -> setsApart(c) && c.ready() && c.use().waitsOften());
  }

  /**
   * Of several that have work and that nobody holds back, the index of the one that is not off the
   * GPU now; -1 if there are not several. With slices of a microsecond each, the GPU would do
   * nothing but switch between them. So they take turns, long ones, in which the others are
   * interrupted.
   *
   * @param turn counts these
   */
  int onlyOne(List<Contender> all, long turn) {
    int[] equals =
        IntStream.range(0, all.size())
            .filter(i -> bySlices && all.get(i).ready() && !setsApart(all.get(i)))
            .filter(i -> opens(all.get(i), all))
            .toArray();
    return equals.length < 2 ? -1 : equals[(int) Math.floorMod(turn, (long) equals.length)];
  }
}
