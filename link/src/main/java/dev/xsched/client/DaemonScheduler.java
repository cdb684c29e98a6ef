package dev.xsched.client;

import dev.xsched.link.Block;
import dev.xsched.link.ControlDirectory;
import dev.xsched.policy.Hint;
import dev.xsched.queue.Device;
import dev.xsched.queue.HwQueue;
import dev.xsched.queue.XQueue;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Lets the machine's daemon schedule the queues of this program, against those of all others.
 *
 * <p>It never stands in the way: where there is no daemon, or it ends, hangs or refuses, the queues
 * run as if alone, one line in the log says so, and the program registers once a daemon is there.
 *
 * <p>From the environment: {@code XSCHED_DIR} (where the daemon is), {@code XSCHED_NAME} (what
 * lists show), {@code XSCHED_AUTO_XQUEUE_PRIORITY}, {@code _UTILIZATION}, {@code _TIMESLICE},
 * {@code _DEADLINE}, {@code _KDEADLINE}, {@code _LAXITY}, {@code _SLO_P99}, {@code _SLO_RATIO}
 * (hints for all queues) and {@code XSCHED_AUTO_XQUEUE_LEVEL} (auto, 1, 2 or 3).
 */
public final class DaemonScheduler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.xsched.client");

  /** Null where even the memory for an acquaintance could not be had. */
  private final @Nullable Program program;

  /** Empty for a queue that runs unscheduled. */
  private final Map<XQueue, Optional<ScheduledQueue>> queues = new ConcurrentHashMap<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  private DaemonScheduler(@Nullable Program program) {
    this.program = program;
  }

  /**
   * Registers with the daemon that the environment names, else with the machine's or the user's.
   */
  public static DaemonScheduler connect() {
    try {
      return connect(
          ControlDirectory.ofClients(System.getenv(), ControlDirectory.ownUid()), System.getenv());
    } catch (IOException e) {
      return unscheduled(e);
    }
  }

  /**
   * Registers with the first daemon that answers.
   *
   * @param folders where to look, best first
   * @param environment in the place of that of the process
   */
  public static DaemonScheduler connect(
      List<ControlDirectory> folders, Map<String, String> environment) {
    Environment known = Environment.of(environment, line -> LOG.log(Level.WARNING, line));
    try {
      return new DaemonScheduler(new Program(folders, known));
    } catch (IOException | LinkageError e) {
      // A LinkageError where this system's C library lacks what is called.
      return unscheduled(e);
    }
  }

  private static DaemonScheduler unscheduled(Throwable cause) {
    LOG.log(
        Level.WARNING,
        "nothing to share with a daemon could be made; this program runs unscheduled: {0}",
        cause);
    return new DaemonScheduler(null);
  }

  /** Whether a daemon schedules this program at this moment. */
  public boolean registered() {
    return program != null && program.connection().obeyed() != null;
  }

  /** Makes a queue on a device and has it scheduled from now on. Close it before the device. */
  public XQueue newQueue(Device device, String name) {
    checkOpen();
    return newQueue(device, device.newHwQueue(), name);
  }

  /** The same over a queue of the device that is there already. */
  public XQueue newQueue(Device device, HwQueue hwQueue, String name) {
    checkOpen();
    XQueue queue = new XQueue(name, hwQueue, device.syncer(), System::nanoTime);
    ScheduledQueue scheduled =
        program == null ? null : program.add(queue, device.key(), hwQueue.levels());
    queues.put(queue, Optional.ofNullable(scheduled));
    if (program != null && scheduled == null) {
      LOG.log(
          Level.WARNING,
          "queue {0} runs unscheduled: the daemon takes {1} queues of one program; close some first",
          name,
          Block.CAPACITY);
    }
    return queue;
  }

  private void checkOpen() {
    if (closed.get()) {
      throw new IllegalStateException("this scheduler is closed; connect another one");
    }
  }

  /** Sets a hint of one queue. */
  public void hint(XQueue queue, Hint hint, long value) {
    hint.check(Hint.Scope.QUEUE, value);
    Optional<ScheduledQueue> scheduled = queues.get(queue);
    if (scheduled == null) {
      throw new IllegalArgumentException(
          "queue %s is not of this scheduler; make it with newQueue".formatted(queue.name()));
    }
    scheduled.ifPresent(s -> s.ask(hint, value));
  }

  /** Asks the daemon for a hint of the whole system, such as the time slice. */
  public void hint(Hint hint, long value) {
    hint.check(Hint.Scope.SYSTEM, value);
    if (program != null) {
      program.ask(hint, value);
    }
  }

  /** Stops scheduling a queue and closes it. */
  public void close(XQueue queue) {
    Optional<ScheduledQueue> scheduled = queues.remove(queue);
    if (scheduled == null) {
      return;
    }
    if (scheduled.isPresent() && program != null) {
      program.remove(scheduled.get());
    } else {
      queue.close();
    }
  }

  /** Closes all queues and takes leave of the daemon. A program that just exits needs not to. */
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    queues.keySet().forEach(this::close);
    if (program != null) {
      program.close();
    }
  }
}
