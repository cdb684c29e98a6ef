package dev.xsched.bench.kills;

import dev.xsched.bench.scene.KillOutcome;
import dev.xsched.bench.scene.KillPlan;
import dev.xsched.bench.scene.StageException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Several trios side by side on one device, each with a killer of its own, until enough were
 * killed. They have the device in turn: daemons that do not know each other would give all of their
 * low programs the shortest time slice, and the device would do nothing but change between them.
 * Meanwhile the others leave it alone, and start again what was killed.
 */
public final class KillRun {
  private static final double TRIOS_OF_A_CORE = 0.75;
  private static final int MOST_TRIOS = 12;
  private static final int MILLIS_TO_CLEAN_UP = 5_000;

  private static final int KERNEL_MILLIS = 30;
  private static final int BURST_MILLIS = 10;
  private static final int REST_MILLIS = 20;

  private final Surroundings surroundings;

  public KillRun(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  /** Kills as many as planned, or as there is time for. */
  public KillOutcome run(KillPlan plan) throws StageException, InterruptedException {
    int trios = plan.trios() > 0 ? plan.trios() : triosOfThisMachine();
    GpuHealth health = new GpuHealth("nvidia-smi", "dmesg");
    Tally tally = new Tally();
    try (Lateness lateness = Lateness.watch()) {
      Speed speed = new Speed(surroundings);
      int rounds = speed.rounds(KERNEL_MILLIS);
      double before = speed.perSecond(rounds);
      killAll(plan, trios, load(rounds), tally, lateness);
      double after = speed.perSecond(rounds);
      return tally.outcome(
          trios, lateness.worstNanos() / 1e6, after / before, health.ailments(), health.notes());
    } catch (IOException e) {
      throw new StageException("the programs to be killed cannot be run: " + e.getMessage(), e);
    }
  }

  static Trio.Load load(int rounds) {
    return new Trio.Load(rounds, BURST_MILLIS, REST_MILLIS);
  }

  private static int triosOfThisMachine() {
    int cores = Runtime.getRuntime().availableProcessors();
    return Math.clamp((int) (cores * TRIOS_OF_A_CORE), 1, MOST_TRIOS);
  }

  private void killAll(KillPlan plan, int trios, Trio.Load load, Tally tally, Lateness lateness)
      throws InterruptedException {
    AtomicInteger left = new AtomicInteger(plan.kills());
    Semaphore device = new Semaphore(1);
    long end = System.nanoTime() + plan.limit().toNanos();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < trios; i++) {
      String name = "t" + i;
      Random random = new Random(plan.seed() + i);
      threads.add(
          Thread.ofPlatform()
              .name("killer " + name)
              .start(
                  () -> {
                    try (Trio trio = new Trio(surroundings.in(name), load)) {
                      Watch watch = new Watch(name, trio, tally, lateness);
                      Killer killer = new Killer(trio, watch, tally, random, device);
                      killer.start();
                      // The last one of each is the daemon's, at the end.
                      while (left.getAndDecrement() > trios
                          && System.nanoTime() - end < 0
                          && !tally.hopeless()) {
                        killer.killOne();
                      }
                      killer.finish();
                    } catch (IOException | RuntimeException e) {
                      tally.fault("%s: %s".formatted(name, e));
                    } catch (InterruptedException _) {
                      Thread.currentThread().interrupt();
                    }
                  }));
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      threads.forEach(Thread::interrupt);
      for (Thread thread : threads) {
        thread.join(MILLIS_TO_CLEAN_UP);
      }
      throw e;
    }
  }
}
