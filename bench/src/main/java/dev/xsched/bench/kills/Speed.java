package dev.xsched.bench.kills;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How fast the device works for a program that is alone and knows nothing of the scheduler. */
final class Speed {
  private static final int SECONDS_TO_MEASURE = 60;
  private static final Duration TO_START = Duration.ofSeconds(30);
  private static final Duration WARM_UP = Duration.ofMillis(300);
  private static final Duration MEASURED = Duration.ofMillis(1_500);

  private final Surroundings surroundings;
  private int starts;

  Speed(Surroundings surroundings) {
    this.surroundings = surroundings.in("alone");
  }

  /** How many rounds a kernel takes that long for. */
  int rounds(int millis) throws IOException, InterruptedException {
    CheckedProgram program = start("rounds", Integer.toString(millis));
    try {
      return Integer.parseInt(program.result(SECONDS_TO_MEASURE));
    } catch (NumberFormatException e) {
      throw new IOException("it said '%s' instead of a number".formatted(program.lastWords()), e);
    } finally {
      program.kill();
    }
  }

  /** Kernels a second. */
  double perSecond(int rounds) throws IOException, InterruptedException {
    CheckedProgram program = start("long", Integer.toString(rounds));
    try {
      Pulse pulse = program.pulse();
      long end = System.nanoTime() + TO_START.toNanos();
      while (!pulse.started()) {
        if (!program.alive() || System.nanoTime() > end) {
          throw new IOException("%s: %s".formatted(program.describe(), program.lastWords()));
        }
        Thread.sleep(1);
      }
      Thread.sleep(WARM_UP);
      long checked = pulse.checked();
      long from = pulse.beat();
      Thread.sleep(MEASURED);
      return (pulse.checked() - checked) * 1e9 / (pulse.beat() - from);
    } finally {
      program.kill();
    }
  }

  private CheckedProgram start(String what, String number) throws IOException {
    return CheckedProgram.start(
        surroundings, "alone", "alone-" + starts++, List.of(what, number), false, Map.of());
  }
}
