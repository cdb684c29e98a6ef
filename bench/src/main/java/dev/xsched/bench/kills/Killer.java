package dev.xsched.bench.kills;

import dev.xsched.link.WatchedBlock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Kills the members of one trio in turn, most of them while the high program has work and the low
 * one is held down for its sake, and sees to it that the others do not notice.
 */
final class Killer {
  private static final Duration TO_COME_INTO_FORCE = Duration.ofSeconds(5);
  private static final Duration TO_BE_INTERRUPTED = Duration.ofMillis(200);
  private static final Duration TO_GET_ON = Duration.ofSeconds(3);
  private static final Duration TURN = Duration.ofMillis(2);
  private static final Duration AFTERMATH = Duration.ofMillis(1_500);
  private static final int LONGEST_ABSENCE_MILLIS = 200;
  private static final int LONGEST_TURN_MILLIS = 100;
  private static final double DAEMON_SHARE = 0.4;
  private static final double LOW_SHARE = 0.3;

  /** So often it waits for what it wants to disturb; else it kills whenever. */
  private static final double AIMED = 0.8;

  /** So often a dead daemon stays away until its orders are found to be gone. */
  private static final double WAITED_OUT = 0.5;

  private interface Act {
    void perform() throws IOException, InterruptedException;
  }

  private final Trio trio;
  private final Watch watch;
  private final Tally tally;
  private final Random random;
  private final Semaphore device;
  private boolean heldDownByDevice = true;

  /**
   * @param device taken by whoever has it for itself
   */
  Killer(Trio trio, Watch watch, Tally tally, Random random, Semaphore device) {
    this.trio = trio;
    this.watch = watch;
    this.tally = tally;
    this.random = random;
    this.device = device;
  }

  void start() throws IOException, InterruptedException {
    trio.pause(true);
    for (String who : List.of(Trio.DAEMON, Trio.LOW, Trio.HIGH)) {
      watch.start(who);
    }
    // Where the device offers no more than gates, nobody waits for that any more.
    inTurn(
        () -> heldDownByDevice = watch.until(TO_COME_INTO_FORCE, () -> low(WatchedBlock::obeys)));
  }

  /** Kills one of the three, and has it back when the others were seen to go on. */
  void killOne() throws IOException, InterruptedException {
    double draw = random.nextDouble();
    String victim =
        draw < DAEMON_SHARE ? Trio.DAEMON : draw < DAEMON_SHARE + LOW_SHARE ? Trio.LOW : Trio.HIGH;
    boolean aimed = random.nextDouble() < AIMED;
    boolean waitedOut = victim.equals(Trio.DAEMON) && random.nextDouble() < WAITED_OUT;
    inTurn(
        () -> {
          if (aimed) {
            awaitBurst();
          } else {
            pause(LONGEST_TURN_MILLIS);
          }
          kill(victim);
          seeThemGoOn();
          if (waitedOut) {
            seeOrdersGone();
          }
        });
    pause(LONGEST_ABSENCE_MILLIS);
    watch.start(victim);
  }

  /** Has the device for itself meanwhile. */
  private void inTurn(Act act) throws IOException, InterruptedException {
    // Those who wait are looked after all the same.
    while (!device.tryAcquire()) {
      watch.until(TURN, () -> false);
    }
    try {
      trio.pause(false);
      act.perform();
      trio.pause(true);
      watch.until(TO_GET_ON, () -> trio.programs().stream().noneMatch(p -> p.pulse().bursting()));
    } finally {
      trio.pause(true);
      device.release();
    }
  }

  /** Some moment in which the low program's work is under way, and the high one's comes. */
  private void awaitBurst() throws IOException, InterruptedException {
    if (heldDownByDevice) {
      watch.until(TO_COME_INTO_FORCE, () -> low(b -> b.sliced() || b.interrupted()));
    }
    pause(trio.load().burstMillis() + trio.load().restMillis());
    watch.until(TO_GET_ON, () -> trio.program(Trio.HIGH).pulse().bursting());
    if (heldDownByDevice) {
      // A daemon that has just come first has to learn that slices are not enough for such a burst.
      watch.until(TO_BE_INTERRUPTED, () -> low(WatchedBlock::interrupted));
    }
    Thread.sleep(Duration.ofNanos(random.nextLong(trio.load().burstMillis() * 300_000L)));
  }

  private void pause(int mostMillis) throws IOException, InterruptedException {
    watch.until(Duration.ofMillis(random.nextInt(mostMillis)), () -> false);
  }

  private void kill(String victim) throws IOException, InterruptedException {
    boolean interrupted = low(WatchedBlock::interrupted);
    boolean sliced = low(WatchedBlock::sliced);
    boolean bursting = trio.program(Trio.HIGH).pulse().bursting();
    boolean turnedEarly = test(trio.program(Trio.HIGH), WatchedBlock::turnedEarly);
    Optional<CheckedProgram> program =
        victim.equals(Trio.DAEMON) ? Optional.empty() : Optional.of(trio.program(victim));
    long now = System.nanoTime();
    int code = trio.kill(victim);
    tally.killed(victim, interrupted, sliced, bursting, turnedEarly);
    program.ifPresent(p -> watch.ended(p, now));
    if (code != Death.KILLED) {
      watch.fault("%s ended with code %d before it was killed".formatted(victim, code));
    }
  }

  /** Each of the others has a result that it had not when the kill was done. */
  private void seeThemGoOn() throws IOException, InterruptedException {
    Map<Long, Long> before =
        trio.programs().stream()
            .collect(Collectors.toMap(CheckedProgram::pid, p -> p.pulse().checked()));
    boolean gotOn =
        watch.until(
            TO_GET_ON,
            () ->
                trio.programs().stream()
                    .allMatch(p -> p.pulse().checked() > before.getOrDefault(p.pid(), 0L)));
    if (!gotOn) {
      watch.fault("nobody hangs, but not all have got on in %s".formatted(TO_GET_ON));
    }
  }

  /** What a daemon has ordered does not outlive it. */
  private void seeOrdersGone() throws IOException, InterruptedException {
    boolean gone =
        watch.until(
            watch.limit(),
            () -> trio.programs().stream().noneMatch(p -> test(p, WatchedBlock::obeys)));
    if (!gone) {
      watch.fault(
          "the orders of a daemon that was killed are still in force after %d ms"
              .formatted(watch.limit().toMillis()));
    }
  }

  /** The last daemon is killed and does not come back; the programs end when they are told to. */
  void finish() throws IOException, InterruptedException {
    inTurn(
        () -> {
          awaitBurst();
          kill(Trio.DAEMON);
          seeThemGoOn();
        });
    seeOrdersGone();
    watch.until(AFTERMATH, () -> false);
    for (String name : List.of(Trio.LOW, Trio.HIGH)) {
      CheckedProgram program = trio.program(name);
      long now = System.nanoTime();
      Optional<Integer> code = trio.end(name);
      watch.ended(program, now);
      if (code.isEmpty() || code.get() != 0) {
        watch.fault("%s was told to end: %s".formatted(program.describe(), program.lastWords()));
      }
    }
  }

  private boolean low(Predicate<WatchedBlock> what) {
    return test(trio.program(Trio.LOW), what);
  }

  private static boolean test(CheckedProgram program, Predicate<WatchedBlock> what) {
    return program.block().map(what::test).orElse(false);
  }
}
