package dev.xsched.client;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.link.Registration;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A program's tie to the daemon. One thread at a time looks after it by {@link #check}; all others
 * only ask whom to obey.
 *
 * <pre>
 *   none ----registered----> obeyed ---socket ends---> none: tried again every 250 ms
 *    |                        |  ^
 *    refused: for good        |  heartbeat is fresh again
 *                             v  |
 *                            hung: its orders do not count
 * </pre>
 */
final class Connection implements AutoCloseable {
  /** XSCHED_HEARTBEAT_LOST_NANOS. */
  static final long LOST_NANOS = 500_000_000;

  static final long RETRY_NANOS = 250_000_000;

  private static final System.Logger LOG = System.getLogger("dev.xsched.client");

  private final List<ControlDirectory> folders;
  private final String name;
  private final Block block;
  private volatile @Nullable Registration registration;
  private volatile boolean hung;
  private volatile boolean refused;
  private volatile long registeredNanos;

  // Of the thread that checks.
  private String folder = "";
  private boolean triedBefore;
  private long nextTryNanos;

  Connection(List<ControlDirectory> folders, String name, Block block) {
    this.folders = folders;
    this.name = name;
    this.block = block;
  }

  /** The registration that stands; null if there is none. */
  @Nullable Registration registration() {
    return registration;
  }

  /** The registration whose daemon is to be obeyed; null if gates and ceilings do not count. */
  @Nullable Registration obeyed() {
    return hung ? null : registration;
  }

  /** Whether the daemon will never have this program. */
  boolean refused() {
    return refused;
  }

  /** Whether the daemon has given a sign of life lately. */
  boolean isAlive(long nowNanos) {
    return nowNanos - Math.max(block.heartbeat(), registeredNanos) <= LOST_NANOS;
  }

  /** Looks how things stand. True if there is a daemon that must be told everything anew. */
  boolean check(long nowNanos) {
    Registration current = registration;
    if (current == null) {
      return !refused && (!triedBefore || nowNanos - nextTryNanos >= 0) && register(nowNanos);
    }
    if (hasEnded(current)) {
      registration = null;
      hung = false;
      current.close();
      LOG.log(
          Level.WARNING,
          "the daemon at {0} has ended; this program runs unscheduled until it is back",
          folder);
      nextTryNanos = nowNanos;
      forgetOrders();
      return false;
    }
    boolean alive = isAlive(nowNanos);
    if (alive != hung) {
      return false;
    }
    hung = !alive;
    LOG.log(
        Level.WARNING,
        alive
            ? "the daemon at {0} is back"
            : "the daemon at {0} gives no sign of life; this program runs unscheduled meanwhile",
        folder);
    return alive;
  }

  private boolean register(long nowNanos) {
    boolean first = !triedBefore;
    triedBefore = true;
    nextTryNanos = nowNanos + RETRY_NANOS;
    String reason = "";
    for (ControlDirectory directory : folders) {
      try {
        Registration made = Registration.with(directory, name, block);
        folder = directory.path().toString();
        registeredNanos = System.nanoTime();
        registration = made;
        LOG.log(
            first ? Level.DEBUG : Level.INFO, "the daemon at {0} schedules this program", folder);
        return true;
      } catch (Registration.RefusedException e) {
        refused = true;
        LOG.log(
            Level.WARNING,
            "the daemon at {0} refused this program, which runs unscheduled: {1}",
            directory.path(),
            e.getMessage());
        return false;
      } catch (IOException e) {
        reason = String.valueOf(e.getMessage());
      }
    }
    if (first) {
      LOG.log(
          Level.WARNING,
          "no daemon at {0}; this program runs unscheduled ({1})",
          folders.stream().map(d -> d.path().toString()).collect(Collectors.joining(" or ")),
          reason);
    }
    return false;
  }

  private static boolean hasEnded(Registration registration) {
    try {
      return registration.awaitEnd(0);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "the daemon's socket broke", e);
      return true;
    }
  }

  /** The next daemon finds the block as a new program's: with open gates. */
  private void forgetOrders() {
    for (int i = 0; i < Block.CAPACITY; i++) {
      block.slot(i).forgetOrders();
    }
  }

  @Override
  public void close() {
    Registration current = registration;
    registration = null;
    if (current != null) {
      current.close();
    }
  }
}
