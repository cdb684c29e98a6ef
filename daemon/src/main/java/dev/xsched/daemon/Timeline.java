package dev.xsched.daemon;

import dev.xsched.daemon.api.Run;
import java.util.ArrayList;
import java.util.List;

/** Who ran when, and who was interrupted, as far back as there is room. */
final class Timeline {
  private static final int CAPACITY = 8192;

  private final Run[] runs = new Run[CAPACITY];
  private long last;

  void add(ManagedQueue queue, long startNanos, long endNanos, boolean interrupted) {
    long number = ++last;
    runs[(int) (number % CAPACITY)] = run(number, queue, startNanos, endNanos, interrupted);
  }

  static Run run(
      long number, ManagedQueue queue, long startNanos, long endNanos, boolean interrupted) {
    return new Run(
        number,
        queue.id(),
        queue.program().id(),
        queue.device(),
        startNanos,
        endNanos,
        interrupted);
  }

  List<Run> after(long number) {
    List<Run> result = new ArrayList<>();
    for (long i = Math.max(Math.max(0, number), last - CAPACITY) + 1; i <= last; i++) {
      result.add(runs[(int) (i % CAPACITY)]);
    }
    return result;
  }
}
