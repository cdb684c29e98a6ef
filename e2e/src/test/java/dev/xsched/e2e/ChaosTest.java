package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.bench.kills.Lateness;
import dev.xsched.sim.shared.SharedRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Programs are killed, stopped and run wild, the daemon is killed, stopped and ordered about, its
 * disk is full: innocent programs must not notice.
 *
 * <p>Two minutes by default. For longer, or for the same order of events again:
 *
 * <pre>
 * mvn verify -Dtest=ChaosTest -Dsurefire.failIfNoSpecifiedTests=false \
 *     -Dxsched.chaos.seconds=3600 -Dxsched.chaos.seed=42
 * </pre>
 *
 * <p>How long is too long: nobody may wait at a gate for more than a second. A daemon that is
 * stopped holds programs for up to 0.5 s, until its heartbeat counts as lost; a turn of everybody
 * takes up to 0.2 s. What the machine itself does to any thread that sleeps is measured beside
 * ({@link Lateness}) and comes on top, because no program can do better: for who waits, for the
 * daemon, and for whoever has the device. Both are printed.
 */
class ChaosTest {
  private static final double LONGEST_WAIT_MILLIS = 1_000;
  private static final List<String> MISBEHAVIOURS =
      List.of("garbage-block", "garbage-socket", "garbage-board", "garbage-hello");

  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final List<Thread> actors = new ArrayList<>();
  private final Story story = new Story();
  private final Map<Integer, Long> lastStarts = new HashMap<>();
  private long watchedNanos = Long.MIN_VALUE;
  private volatile boolean over;

  private interface Act {
    void perform(Random random) throws Exception;
  }

  /** Also where a test broke off: they would disturb the next. */
  @AfterEach
  void sendActorsHome() throws InterruptedException {
    over = true;
    for (Thread actor : actors) {
      actor.join();
    }
  }

  @Test
  void innocentProgramsDoNotNotice() throws Exception {
    long seed =
        Long.getLong("xsched.chaos.seed", ThreadLocalRandom.current().nextLong(1_000_000_000));
    int seconds = Integer.getInteger("xsched.chaos.seconds", 120);
    System.out.printf("chaos of %d s with -Dxsched.chaos.seed=%d%n", seconds, seed);
    Random random = new Random(seed);
    Path outputs = Files.createTempDirectory("xo");
    try (SmallDisk disk = SmallDisk.mount();
        Machine machine = new Machine(disk.folder(), outputs);
        Lateness lateness = Lateness.watch()) {
      Map<String, Load> innocents = new HashMap<>();
      ChaosDaemon daemon =
          new ChaosDaemon(
              machine,
              new Random(random.nextLong()),
              List.of("steady", "long", "bursts", "lanes", "family", "java"),
              story);
      innocents.put("steady", load(machine, "steady", 1_000, 4).start());
      innocents.put("long", load(machine, "long", 5_000, 2).start());
      innocents.put("bursts", bursts(machine).start());
      innocents.put("lanes", load(machine, "lanes", 2_000, 2).with("queues", 3).start());
      innocents.put("family", load(machine, "family", 3_000, 2).with("fork").start());
      innocents.put("java", load(machine, "java", 2_000, 4).program(JavaLoad.command()).start());
      Load stopped = load(machine, "stopped", 2_000, 4).start();

      innocents.forEach((name, load) -> story.tell("%s is pid %d".formatted(name, load.pid())));
      long end = System.nanoTime() + seconds * 1_000_000_000L;
      long lastDeath = System.nanoTime() + seconds * 666_000_000L;
      act("daemon", random, 1_500, _ -> daemon.suffer(System.nanoTime() < lastDeath));
      act("killer", random, 100, r -> killOne(machine, r));
      act("another killer", random, 100, r -> killOne(machine, r));
      act("villain", random, 100, r -> misbehave(machine, r));
      act("another villain", random, 100, r -> misbehave(machine, r));
      act("stopper", random, 2_000, r -> stopForAWhile(stopped, r));
      act("disk", random, 3_000, r -> fill(disk, r));

      long resident = 0;
      while (System.nanoTime() < end) {
        Thread.sleep(500);
        innocents.forEach((name, load) -> check(load.alive(), name + " ended by itself"));
        watchProgress(machine, innocents, lateness);
        // Whoever was killed last may take long to be back.
        boolean calm = System.nanoTime() > lastDeath + 5_000_000_000L && daemon.process().alive();
        if (resident == 0 && calm) {
          resident = daemon.residentKilobytes();
        }
      }
      sendActorsHome();
      disk.makeRoom();
      System.out.printf(
          "chaos: %s; the machine delayed a plain sleep by up to %.0f ms%n",
          daemon, lateness.worstNanos() / 1e6);
      check(stopped.end().exactlyOnce(), "the stopped program lost commands");
      for (Map.Entry<String, Load> innocent : innocents.entrySet()) {
        judge(innocent.getKey(), innocent.getValue().end(), lateness);
      }
      checkLeaks(daemon, resident);
      checkOutput(daemon.process().output());
      checkHealth(machine, daemon.process());
    }
    assertThat(faults).as("faults with seed %d, see %s\n%s", seed, outputs, story).isEmpty();
  }

  @Test
  void aBoardFullOfNonsenseIsNotBelieved() throws Exception {
    try (Machine machine = Machine.create();
        Lateness lateness = Lateness.watch()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      Load one = load(machine, "one", 1_000, 4).priority(5).start();
      Load other = load(machine, "other", 1_000, 4).priority(5).start();
      daemon.awaitPrograms(2);
      Load villain =
          load(machine, "villain", 1_000, 1).priority(5).with("misbehave", "garbage-board").start();
      long end = System.nanoTime() + 10_000_000_000L;
      while (!daemon.output().contains("nonsense into the memory") && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      assertThat(daemon.output()).contains("nonsense into the memory");
      Thread.sleep(2_000);
      judge("one", one.end(), lateness);
      Load high = load(machine, "high", 1_000, 4).priority(10).start();
      daemon.awaitPrograms(3);
      long from = System.nanoTime() + 200_000_000;
      Thread.sleep(1_000);
      assertThat(machine.trace().between(from, System.nanoTime()).percentOf(high))
          .as("high, which is now let through by gates alone")
          .isGreaterThan(DeviceTrace.ALMOST_ALL);
      check(other.end().exactlyOnce(), "other lost commands");
      villain.end();
      checkOutput(daemon.output());
    }
    assertThat(faults).isEmpty();
  }

  private void act(String name, Random random, int pauseMillis, Act act) {
    Random own = new Random(random.nextLong());
    actors.add(
        Thread.ofPlatform()
            .name(name)
            .start(
                () -> {
                  try {
                    while (!over) {
                      act.perform(own);
                      Thread.sleep(own.nextInt(pauseMillis));
                    }
                  } catch (Exception e) {
                    faults.add(name + ": " + e);
                  }
                }));
  }

  private void killOne(Machine machine, Random random) throws Exception {
    Load victim =
        load(machine, "victim", 500 + random.nextInt(3_000), 1 + random.nextInt(4)).start();
    rest(200 + random.nextInt(3_000));
    victim.signal("KILL");
    victim.await();
  }

  private void misbehave(Machine machine, Random random) throws Exception {
    String how = MISBEHAVIOURS.get(random.nextInt(MISBEHAVIOURS.size()));
    Load villain =
        load(machine, how, 2_000, 2)
            .with("misbehave", how)
            .with("seed", random.nextInt(1_000_000))
            .start();
    story.tell(how + " with pid " + villain.pid());
    rest(1_000 + random.nextInt(6_000));
    villain.signal("KILL");
    villain.await();
  }

  private void stopForAWhile(Load load, Random random) throws Exception {
    story.tell("pid %d stopped".formatted(load.pid()));
    load.signal("STOP");
    Thread.sleep(random.nextInt(2_000));
    load.signal("CONT");
  }

  private void fill(SmallDisk disk, Random random) throws Exception {
    rest(random.nextInt(3_000));
    disk.fill();
    story.tell("disk full");
    rest(random.nextInt(3_000));
    disk.makeRoom();
    story.tell("disk has room");
  }

  private void rest(int millis) throws InterruptedException {
    for (int i = 0; i < millis && !over; i += 100) {
      Thread.sleep(Math.min(100, millis - i));
    }
  }

  private void check(boolean good, String fault) {
    if (!good && !faults.contains(fault)) {
      faults.add(fault);
    }
  }

  /** From outside, where no program can tell us tales: each must be seen on the device. */
  private void watchProgress(Machine machine, Map<String, Load> innocents, Lateness lateness)
      throws Exception {
    long now = System.nanoTime();
    Map<Integer, Long> last = new HashMap<>();
    DeviceTrace trace = machine.trace();
    for (SharedRun run : trace.between(watchedNanos, Long.MAX_VALUE).runs()) {
      last.merge(run.pid(), run.startNanos(), Math::max);
      Long before = lastStarts.get(run.pid());
      lastStarts.merge(run.pid(), run.startNanos(), Math::max);
      if (before != null && run.startNanos() - before > 700_000_000L) {
        story.tell(before, "pid %d does nothing".formatted(run.pid()));
        story.tell(run.startNanos(), "pid %d goes on".formatted(run.pid()));
      }
    }
    watchedNanos = now - 5_000_000_000L;
    innocents.forEach(
        (name, load) -> {
          Long seen = last.get((int) load.pid());
          // A JVM needs a moment to come up, and half a second passes between two looks.
          double standsMillis = seen == null ? 0 : (now - seen) / 1e6;
          check(
              standsMillis < 500 + longestWaitMillis(lateness),
              "%s did nothing for over %.0f ms".formatted(name, standsMillis));
        });
  }

  private static double longestWaitMillis(Lateness lateness) {
    return LONGEST_WAIT_MILLIS + 3 * lateness.worstNanos() / 1e6;
  }

  private void judge(String name, Load.Result result, Lateness lateness) {
    double waited = result.largest("max_gate_wait_ms");
    System.out.printf("chaos: %s waited for up to %.0f ms%n", name, waited);
    check(result.exactlyOnce(), name + " lost commands: " + result.text());
    check(
        waited < longestWaitMillis(lateness),
        "%s waited for %.0f ms, and a plain sleep was late by at most %.0f ms"
            .formatted(name, waited, lateness.worstNanos() / 1e6));
  }

  private void checkLeaks(ChaosDaemon daemon, long residentBefore) throws Exception {
    daemon.process().await("all programs gone", s -> s.programs().isEmpty());
    Thread.sleep(2_500); // Strangers who said nothing are asked to leave after 2 s.
    // A JVM with an HTTP server has about 20, and this test holds some connections.
    check(daemon.descriptors() < 60, daemon.descriptors() + " descriptors are open");
    check(daemon.blocks() == 0, daemon.blocks() + " blocks of dead programs are mapped");
    long grown = daemon.residentKilobytes() - residentBefore;
    System.out.printf("chaos: %d descriptors, %d KiB grown%n", daemon.descriptors(), grown);
    check(grown < 64 * 1024, "the daemon has grown by %d KiB".formatted(grown));
  }

  private void checkOutput(String output) {
    List<String> bad =
        output
            .lines()
            .filter(l -> l.startsWith("\tat ") || l.contains("Exception") || l.contains("SEVERE"))
            .limit(5)
            .toList();
    check(bad.isEmpty(), "the daemon complained: " + bad);
  }

  /** After all that, a new daemon does what it should. */
  private void checkHealth(Machine machine, DaemonProcess last) throws Exception {
    last.close();
    DaemonProcess fresh = machine.startDaemon("--policy", "HPF");
    Load low = load(machine, "low", 1_000, 4).priority(0).start();
    Load high = load(machine, "high", 1_000, 4).priority(10).start();
    fresh.awaitPrograms(2);
    long from = System.nanoTime() + 200_000_000;
    Thread.sleep(1_500);
    double percent = machine.trace().between(from, System.nanoTime()).percentOf(high);
    // Less than all where the machine keeps high from launching for 4 ms: then it is idle.
    check(
        percent > DeviceTrace.ALMOST_ALL,
        "after the chaos, high got %.1f percent".formatted(percent));
    check(low.end().exactlyOnce(), "low lost commands");
    check(high.end().exactlyOnce(), "high lost commands");
  }

  private static Load.Builder load(Machine machine, String name, int micros, int window) {
    return machine
        .load(name)
        .with("command-us", micros)
        .with("window", window)
        .with("seconds", 100_000);
  }

  private static Load.Builder bursts(Machine machine) {
    return load(machine, "bursts", 2_000, 2).with("period-us", 100_000).with("burst", 8);
  }
}
