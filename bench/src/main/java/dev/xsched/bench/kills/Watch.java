package dev.xsched.bench.kills;

import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Looks after a trio: whoever ends by itself or stands still is told of and replaced, so that the
 * rest can go on.
 */
final class Watch {
  /** Who has work and does not get on for longer than this hangs. */
  static final Duration LIMIT = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofMillis(1);
  private static final Duration TO_START = Duration.ofSeconds(30);

  private final String name;
  private final Trio trio;
  private final Tally tally;
  private final Lateness lateness;

  /**
   * @param name of the trio, for messages
   */
  Watch(String name, Trio trio, Tally tally, Lateness lateness) {
    this.name = name;
    this.trio = trio;
    this.tally = tally;
    this.lateness = lateness;
  }

  /** How long a program may take to get on, with what the machine itself took from it. */
  Duration limit() {
    return LIMIT.plusNanos(lateness.worstNanos());
  }

  /** Starts one of the three and waits until it works. */
  void start(String who) throws IOException, InterruptedException {
    trio.start(who);
    boolean works =
        until(TO_START, who.equals(Trio.DAEMON) ? trio::daemonAnswers : () -> trio.started(who));
    if (!works) {
      fault(
          "%s does not start in %d s: %s"
              .formatted(
                  who,
                  TO_START.toSeconds(),
                  who.equals(Trio.DAEMON)
                      ? trio.lastWordsOfTheDaemon()
                      : trio.program(who).lastWords()));
    }
  }

  /** Looks until something has happened; false if it does not in time. */
  boolean until(Duration atMost, BooleanSupplier happened)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      look();
      if (happened.getAsBoolean()) {
        return true;
      }
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(LOOK);
    }
  }

  void fault(String line) {
    tally.fault("%s: %s".formatted(name, line));
  }

  private void look() throws IOException, InterruptedException {
    for (CheckedProgram program : trio.programs()) {
      long now = System.nanoTime();
      if (!program.alive()) {
        fault("%s ended by itself: %s".formatted(program.describe(), program.lastWords()));
        replace(program, now);
      } else if (program.pulse().stallNanos(now) > limit().toNanos()) {
        replace(program, now);
      }
    }
    if (trio.daemon().isPresent() && !trio.daemon().get().alive()) {
      fault("the daemon ended by itself: " + trio.lastWordsOfTheDaemon());
      trio.start(Trio.DAEMON);
    }
  }

  private void replace(CheckedProgram program, long now) throws IOException, InterruptedException {
    ended(program, now);
    trio.kill(program.name());
    trio.start(program.name());
  }

  /** A program is no more, or is not to be, from that moment on: sums up how it fared. */
  void ended(CheckedProgram program, long now) {
    tally.ended(program, now);
    long stall = program.pulse().longestStallNanos(now);
    if (stall > limit().toNanos()) {
      tally.hang(
          "%s: %s did not get on for %d ms, with the daemon %s: %s"
              .formatted(
                  name,
                  program.describe(),
                  stall / 1_000_000,
                  trio.daemon().isPresent() ? "alive" : "dead",
                  program.lastWords()));
    }
  }
}
