package dev.xsched.client;

import dev.xsched.link.Block;
import java.lang.System.Logger.Level;
import java.util.List;

/**
 * The one thread of a program that waits for the daemon's orders, carries them out, and looks
 * whether there still is a daemon. An idle program wakes four times a second.
 */
final class Watcher implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.xsched.client");

  /** XSCHED_WAIT_NANOS: nothing wakes a waiter when the daemon dies. */
  private static final long READY_NANOS = 50_000_000;

  /** Nobody tells when a ceiling goes down; but it holds for 5 ms at most. */
  private static final long CEILING_NANOS = 50_000;

  /** How often daemon and counts are looked at, however often orders come. */
  private static final long LOOK_NANOS = 20_000_000;

  private final Block block;
  private final Connection connection;
  private final List<ScheduledQueue> queues;
  private final Runnable tellAll;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("xsched-watcher").unstarted(this::watch);
  private volatile boolean closing;

  /**
   * Makes a watcher that sleeps until started.
   *
   * @param queues changes while it runs
   * @param tellAll tells a new daemon everything
   */
  Watcher(Block block, Connection connection, List<ScheduledQueue> queues, Runnable tellAll) {
    this.block = block;
    this.connection = connection;
    this.queues = queues;
    this.tellAll = tellAll;
  }

  void start() {
    thread.start();
  }

  /** Has it look at all queues now; also if it is about to fall asleep. */
  void wake() {
    if (!Thread.currentThread().equals(thread)) {
      block.raiseOrders();
    }
  }

  private void watch() {
    long nextLook = System.nanoTime();
    while (!closing && !connection.refused()) {
      int seen = block.orders();
      try {
        long now = System.nanoTime();
        if (now - nextLook >= 0) {
          nextLook = now + LOOK_NANOS;
          look(now);
        }
        carryOut();
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "an order of the daemon could not be carried out", e);
      }
      block.awaitOrders(seen, patienceNanos());
    }
  }

  private void look(long now) {
    if (connection.check(now)) {
      tellAll.run();
    }
    for (ScheduledQueue queue : queues) {
      if (queue.isReady()) {
        queue.tellCounts();
      }
    }
  }

  private void carryOut() {
    boolean obey = connection.obeyed() != null;
    for (ScheduledQueue queue : queues) {
      queue.stop(obey);
    }
    for (ScheduledQueue queue : queues) {
      queue.goOn(obey);
    }
  }

  private long patienceNanos() {
    long patience = Connection.RETRY_NANOS;
    for (ScheduledQueue queue : queues) {
      if (queue.waitsForCeiling()) {
        return CEILING_NANOS;
      }
      if (queue.isReady()) {
        patience = READY_NANOS;
      }
    }
    return patience;
  }

  /** Returns when the thread has ended. */
  @Override
  public void close() {
    closing = true;
    block.raiseOrders();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
