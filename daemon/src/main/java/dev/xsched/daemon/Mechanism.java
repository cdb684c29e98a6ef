package dev.xsched.daemon;

import java.util.List;

/**
 * How the queues of one device are kept apart: by gates in front of launches, which every program
 * has, or by the GPU's own time slices, where every program offers these.
 *
 * <p>Slices need no call per request, and stop what is running, too: with 1 s for the high program
 * and 1 us for the low one, an H200 switches to the high one as soon as that has work and back when
 * it has none. They know two kinds of programs only. So those of the highest rank are set apart
 * from all others, whom they preempt without a gate; the others hold each other back by gates.
 *
 * @param bySlices false: by gates alone
 * @param highest the rank that is set apart
 * @param highMicros the slice of who has it; 0 leaves it to the driver
 * @param reason why it is not by slices, or what they do
 */
record Mechanism(boolean bySlices, int highest, long highMicros, String reason) {
  private static final long HIGH_MICROS = 1_000_000;
  private static final long LOW_MICROS = 1;

  /**
   * A queue, as far as that matters here.
   *
   * @param executes false for one that is never to run
   * @param sliceMicros what is in force for it, 0 if that is the driver's own
   */
  record Contender(
      int rank, boolean executes, boolean ready, boolean offersSlices, long sliceMicros) {}

  /** Chooses for one device; ranks stand unless they may change by themselves. */
  static Mechanism of(List<Contender> all, boolean ranksStand) {
    List<Contender> contenders = all.stream().filter(Contender::executes).toList();
    if (!contenders.stream().allMatch(Contender::offersSlices)) {
      return gates("not every program on the device offers time slices");
    }
    if (!ranksStand) {
      return gates("the policy has no ranks that stand");
    }
    int highest = contenders.stream().mapToInt(Contender::rank).max().orElse(0);
    long high = contenders.stream().filter(c -> c.rank() == highest).count();
    if (high == contenders.size()) {
      return gates("nobody on the device is ranked higher than others");
    }
    return high == 1
        ? new Mechanism(true, highest, HIGH_MICROS, "the highest rank preempts by time slices")
        : new Mechanism(
            true,
            highest,
            0, // Equal ones would otherwise wait for each other for as long as that.
            "the highest rank preempts by the short time slices of the others");
  }

  private static Mechanism gates(String reason) {
    return new Mechanism(false, 0, 0, reason);
  }

  long slice(Contender contender) {
    if (!bySlices || !contender.executes()) {
      return 0;
    }
    return contender.rank() == highest ? highMicros : LOW_MICROS;
  }

  /** Whether the programs have done what they were told, so that gates need not do it. */
  boolean isInForce(List<Contender> all) {
    return bySlices && all.stream().allMatch(c -> c.sliceMicros() == slice(c));
  }

  /** Whether others need not be held back for this queue's sake, nor it for theirs. */
  boolean setsApart(Contender contender) {
    return bySlices && contender.executes() && contender.rank() == highest;
  }

  /** Whether its gate is open once slices are in force: who is set apart holds back nobody. */
  boolean opens(Contender contender, List<Contender> all) {
    return contender.executes()
        && all.stream()
            .filter(c -> c.executes() && c.ready() && !setsApart(c))
            .allMatch(c -> c.rank() <= contender.rank());
  }
}
