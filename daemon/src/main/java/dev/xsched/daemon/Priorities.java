package dev.xsched.daemon;

import dev.xsched.daemon.Mechanism.Contender;
import dev.xsched.link.Gpu;
import java.util.List;

/**
 * The priorities that the queues of programs have for the GPU itself, as standing orders by rank.
 *
 * <p>On AMD's GPUs a queue's priority, 0 to 15, goes into the registers of its hardware queue: the
 * value itself, and one of three for its pipe (Linux, kfd_mqd_manager.c: 0 to 6 low, 7 to 10
 * middle, 11 to 15 high; a program's own queues have 7 unless it asks for another). An order moves
 * all of a program's queues to one of the three. What the hardware makes of it is not in the
 * sources: Linux calls it an indication, relative to other queues of the process (kfd_priv.h), but
 * hardware queues know no processes, and those of several are mapped at the same time. So it may
 * help the highest rank to the next free place on the GPU, and it may not; gates and interrupts do
 * the preempting.
 *
 * <p>Each change takes all queues off a GPU without MES for a moment. So priorities follow the
 * ranks, not who has work.
 *
 * @param offered whether every program on the device can set them, and ranks stand
 */
record Priorities(boolean offered, int lowest, int highest) {
  private static final int LOWEST = 1;
  private static final int MIDDLE = 1 + 7;

  /** Chooses for one device. */
  static Priorities of(List<Contender> all, boolean offered) {
    int[] ranks =
        all.stream().filter(Contender::executes).mapToInt(Contender::rank).sorted().toArray();
    return ranks.length == 0
        ? new Priorities(false, 0, 0)
        : new Priorities(offered, ranks[0], ranks[ranks.length - 1]);
  }

  /** Returns the order for one of them; 0 leaves it to the program. */
  int order(Contender contender) {
    if (!offered || lowest == highest || !contender.executes()) {
      return 0;
    }
    return contender.rank() == highest
        ? Gpu.HIGHEST_PRIORITY
        : contender.rank() == lowest ? LOWEST : MIDDLE;
  }
}
