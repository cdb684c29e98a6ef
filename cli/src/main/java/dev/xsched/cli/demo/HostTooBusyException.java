package dev.xsched.cli.demo;

import dev.xsched.bench.experiment.FixedPriority;
import dev.xsched.bench.experiment.Scenes;
import dev.xsched.bench.judge.Latencies;
import dev.xsched.bench.judge.Runs;
import dev.xsched.cli.report.Numbers;

/**
 * The machine has so much else to do that it cannot play a device in real time. Seen when the
 * foreground is alone: a model takes the same time for every request, so what varies is the host.
 */
final class HostTooBusyException extends Exception {
  private static final double MOST_SPREAD = 1.2;

  private HostTooBusyException(String message) {
    super(message);
  }

  /** Throws if the times of the foreground alone vary too much for a model. */
  static void check(Runs runs) throws HostTooBusyException {
    Latencies alone = runs.latencies(Scenes.STANDALONE, FixedPriority.FOREGROUND);
    double spread = alone.percentile(99) / alone.percentile(50);
    if (spread > MOST_SPREAD) {
      throw new HostTooBusyException(
          "This host is too busy to play a device in real time (alone, with nothing in its way, P99"
              + " is %s times P50), so what follows ran on virtual time."
                  .formatted(Numbers.significant(spread)));
    }
  }
}
