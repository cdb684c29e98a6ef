package dev.xsched.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of what users and schedulers do to one queue, from five threads at once. Set the
 * system property {@code xsched.seed} to repeat a history that failed, {@code xsched.histories} to
 * run more or fewer of them.
 */
@SuppressWarnings("ThreadPriorityCheck") // It yields to mix the interleavings, not to rely on them.
class XQueueHistoriesTest {
  private static final int HISTORIES = Integer.getInteger("xsched.histories", 100_000);
  private static final long HANG_SECONDS = 20;

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void holdsItsPromisesInEveryHistory() throws Exception {
    Long repeat = Long.getLong("xsched.seed");
    try (ThreadSyncer syncer = new ThreadSyncer();
        ExecutorService threads =
            Executors.newFixedThreadPool(5, Thread.ofPlatform().daemon().factory())) {
      for (int i = 0; i < HISTORIES; i++) {
        long seed = repeat == null ? System.nanoTime() * 31 + i : repeat;
        try {
          new History(seed, syncer).run(threads);
        } catch (Throwable e) {
          threads.shutdownNow();
          throw new AssertionError(
              "history %d failed; repeat it with -Dxsched.seed=%d".formatted(i, seed), e);
        }
      }
    }
  }

  private static final class History {
    private static final int BY_USER = 1;
    private static final int BY_SCHEDULER = 2;
    private static final int BY_GATE = 4;

    private final long seed;
    private final CheckingHwQueue hw;
    private final XQueue queue;
    private final AtomicInteger callbacks = new AtomicInteger();
    private final List<Command> submitted = new ArrayList<>();
    private final Object windowLock = new Object();
    private int threshold = 8;
    private volatile boolean gateOpen = true;

    History(long seed, Syncer syncer) {
      this.seed = seed;
      hw = new CheckingHwQueue(seed);
      queue = new XQueue("random", hw, syncer, System::nanoTime);
      queue.setWindow(new LaunchWindow.Fixed(threshold, 4));
      hw.allowInFlight(threshold);
      queue.setLaunchGate(() -> gateOpen);
    }

    void run(ExecutorService threads) throws Exception {
      List<Callable<Void>> roles =
          List.of(
              () -> submitAndWait(new Random(seed + 1)),
              () -> submitAndWait(new Random(seed + 2)),
              () -> suspendAndResume(new Random(seed + 3)),
              () -> order(new Random(seed + 4)),
              () -> closeAndOpenTheGate(new Random(seed + 5)));
      List<Future<Void>> running = new ArrayList<>();
      for (Callable<Void> role : roles) {
        running.add(threads.submit(role));
      }
      for (Future<Void> future : running) {
        future.get(HANG_SECONDS, TimeUnit.SECONDS);
      }
      threads.submit(this::drain).get(HANG_SECONDS, TimeUnit.SECONDS);
      checkTheEnd();
    }

    private Void submitAndWait(Random random) throws Exception {
      Command last = null;
      for (int i = random.nextInt(12); i > 0; i--) {
        switch (random.nextInt(10)) {
          case 0 -> changeWindow(random);
          case 1 -> queue.setLevel(Level.of(1 + random.nextInt(3)));
          case 2 -> {
            if (last != null) {
              queue.wait(last);
              assertThat(hw.completed(last) || last.state() == Command.State.DROPPED)
                  .as("wait returned for command %d in state %s", last.sequence(), last.state())
                  .isTrue();
            }
          }
          case 3 -> queue.query();
          default -> last = submitOne();
        }
      }
      return null;
    }

    private Command submitOne() {
      Command command = new Command().onFinish(callbacks::incrementAndGet);
      queue.submit(command);
      synchronized (submitted) {
        submitted.add(command);
      }
      return command;
    }

    private void changeWindow(Random random) {
      synchronized (windowLock) {
        if (random.nextInt(4) == 0) {
          hw.allowInFlight(Integer.MAX_VALUE);
          threshold = Integer.MAX_VALUE;
          queue.setWindow(new LaunchWindow.Adaptive(Duration.ofNanos(1 + random.nextInt(9_999))));
          return;
        }
        int old = threshold;
        threshold = 1 + random.nextInt(8);
        hw.allowInFlight(Math.max(old, threshold));
        queue.setWindow(new LaunchWindow.Fixed(threshold, 1 + random.nextInt(threshold)));
        hw.allowInFlight(threshold);
      }
    }

    private Void suspendAndResume(Random random) throws Exception {
      for (int i = random.nextInt(5); i > 0; i--) {
        suspend(random);
        hw.forbidLaunches(BY_USER, true);
        if (random.nextBoolean()) {
          Thread.yield();
        }
        List<Command> pending = pending();
        hw.forbidLaunches(BY_USER, false);
        if (random.nextInt(3) == 0) {
          queue.resume(XQueue.Resume.DROP);
          assertThat(pending).allMatch(c -> c.state() == Command.State.DROPPED);
        } else {
          queue.resume();
        }
      }
      return null;
    }

    private void suspend(Random random) throws InterruptedException {
      switch (random.nextInt(5)) {
        case 0 -> {
          List<Command> before = unfinished();
          queue.suspend(XQueue.Suspend.WAIT_ALL);
          assertThat(before).allMatch(Command::isFinished);
        }
        case 1 -> {
          queue.suspend(XQueue.Suspend.WAIT_IDLE);
          assertThat(hw.works()).as("the hardware works after suspend when idle").isFalse();
        }
        case 2 -> queue.suspend(XQueue.Suspend.SYNC_HARDWARE);
        default -> queue.suspend();
      }
    }

    private List<Command> unfinished() {
      synchronized (submitted) {
        return submitted.stream().filter(c -> !c.isFinished()).toList();
      }
    }

    private List<Command> pending() {
      synchronized (submitted) {
        return submitted.stream().filter(c -> c.state() == Command.State.PENDING).toList();
      }
    }

    private Void order(Random random) {
      for (int i = random.nextInt(8); i > 0; i--) {
        queue.order(false);
        hw.forbidLaunches(BY_SCHEDULER, true);
        if (random.nextBoolean()) {
          Thread.yield();
        }
        hw.forbidLaunches(BY_SCHEDULER, false);
        queue.order(true);
      }
      return null;
    }

    private Void closeAndOpenTheGate(Random random) {
      for (int i = random.nextInt(8); i > 0; i--) {
        gateOpen = false;
        queue.stats(); // Whoever was asked before has launched after this.
        hw.forbidLaunches(BY_GATE, true);
        if (random.nextBoolean()) {
          Thread.yield();
        }
        hw.forbidLaunches(BY_GATE, false);
        gateOpen = true;
        queue.recheck();
      }
      return null;
    }

    private Void drain() throws InterruptedException {
      queue.waitAll();
      queue.setLevel(Level.of(1 + new Random(seed).nextInt(3)));
      for (int i = 0; i < 4; i++) {
        submitOne();
      }
      queue.suspend(XQueue.Suspend.SYNC_HARDWARE);
      assertThat(hw.works()).as("the hardware works after suspend with sync").isFalse();
      queue.resume();
      queue.waitAll();
      assertThat(queue.query()).isEqualTo(XQueue.State.IDLE);
      queue.close();
      return null;
    }

    private void checkTheEnd() {
      hw.rethrowViolation();
      List<Command> launched = hw.launched();
      assertThat(launched).doesNotHaveDuplicates();
      for (Command command : submitted) {
        boolean wasLaunched = launched.contains(command);
        assertThat(command.state())
            .isEqualTo(wasLaunched ? Command.State.COMPLETED : Command.State.DROPPED);
        assertThat(hw.completed(command)).isEqualTo(wasLaunched);
      }
      assertThat(callbacks).hasValue(submitted.size());
    }
  }
}
