package dev.xsched.sim;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A program in a {@link Simulation}: sends its tasks and measures them. */
public final class Client {
  /** Told of each task that ends. */
  @FunctionalInterface
  public interface Watcher {
    void ended(long arrivedNanos, long doneNanos);
  }

  private final ClientSpec spec;
  private final EventLoop loop;
  private final VirtualXpu device;
  private final RandomGenerator random;

  /** Of their own, so that requests come at the same times whatever becomes of earlier ones. */
  private final RandomGenerator intervals;

  private final VirtualQueue hwQueue;
  private final Outlet outlet;
  private final DemandMeter demand;
  private final ArrayDeque<Long> backlog = new ArrayDeque<>();
  private final Samples latencies = new Samples();
  private Watcher watcher = (_, _) -> {};
  private @Nullable Admission admission;
  private boolean atWork;
  private boolean wanting;
  private long wantingSinceNanos;
  private long wantingNanos;
  private long wantingBeforeNanos;
  private long busyBeforeNanos;
  private long arrivals;
  private long sentNanos;
  private long waitedNanos;

  Client(
      ClientSpec spec,
      EventLoop loop,
      VirtualXpu device,
      SplittableGenerator random,
      VirtualQueue hwQueue,
      Outlet outlet,
      DemandMeter demand) {
    this.spec = spec;
    this.loop = loop;
    this.device = device;
    this.random = random;
    this.intervals = random.split();
    this.hwQueue = hwQueue;
    this.outlet = outlet;
    this.demand = demand;
  }

  /** Has each end of a task told, from now on. */
  public void watch(Watcher newWatcher) {
    watcher = newWatcher;
  }

  void admitBy(Admission newAdmission) {
    admission = newAdmission;
  }

  /** Latencies of the tasks that ended since {@link Simulation#startMeasuring}. */
  public Samples latencies() {
    return latencies;
  }

  /** Tasks that came since then, ended or not. */
  public long arrivals() {
    return arrivals;
  }

  /** Device time that this client got since the beginning. */
  public long totalBusyNanos() {
    return hwQueue.busyNanos();
  }

  /** Device time that this client got since measuring began. */
  public long busyNanos() {
    return hwQueue.busyNanos() - busyBeforeNanos;
  }

  /** For how long since the beginning it had work for the device. */
  public long totalWantingNanos() {
    return wantingNanos + (wanting ? loop.nowNanos() - wantingSinceNanos : 0);
  }

  /** For how long since measuring began it had work for the device. */
  public long wantingNanos() {
    return totalWantingNanos() - wantingBeforeNanos;
  }

  /** For how long since the beginning it had nothing to do but to wait for the device. */
  long waitedNanos() {
    return waitedNanos;
  }

  void startMeasuring() {
    latencies.clear();
    arrivals = 0;
    wantingBeforeNanos = totalWantingNanos();
    busyBeforeNanos = hwQueue.busyNanos();
  }

  boolean hasRequests() {
    return atWork || !backlog.isEmpty();
  }

  void start() {
    arriveAndPlanNext();
  }

  private void arriveAndPlanNext() {
    arrive();
    if (!(spec.arrivals() instanceof Arrivals.Continuous)) {
      loop.at(loop.nowNanos() + intervalNanos(), this::arriveAndPlanNext);
    }
  }

  private long intervalNanos() {
    return switch (spec.arrivals()) {
      case Arrivals.Continuous _ -> 0;
      case Arrivals.Camera camera -> camera.period().toNanos();
      case Arrivals.Periodic periodic ->
          Math.round(
              periodic.period().toNanos()
                  * (1 + periodic.spread() * (2 * intervals.nextDouble() - 1)));
      case Arrivals.LogNormal(var mean, double sigma) ->
          // The mean of a log-normal distribution is exp(mu + sigma^2 / 2).
          Math.round(
              mean.toNanos() * Math.exp(sigma * intervals.nextGaussian() - sigma * sigma / 2));
    };
  }

  private void arrive() {
    arrivals++;
    if (atWork && spec.arrivals() instanceof Arrivals.Camera) {
      return;
    }
    backlog.addLast(loop.nowNanos());
    beginIfItCan();
  }

  void beginIfItCan() {
    if (!atWork && !backlog.isEmpty() && (admission == null || admission.admits(this))) {
      beginNext();
    }
  }

  private void beginNext() {
    atWork = true;
    long arrivedNanos = backlog.removeFirst();
    double scale = 1 + spec.task().jitter() * random.nextExponential();
    long hostNanos = Math.round(spec.task().hostNanos() * scale);
    loop.at(loop.nowNanos() + hostNanos, () -> send(arrivedNanos, scale));
  }

  private void send(long arrivedNanos, double scale) {
    demand.begins();
    wanting = true;
    wantingSinceNanos = loop.nowNanos();
    if (spec.task().gapNanos() > 0) {
      sendSlowly(commands(scale), 0, arrivedNanos, Math.round(spec.task().gapNanos() * scale));
      return;
    }
    int left = spec.task().commandCount();
    for (TaskModel.Run run : spec.task().commands()) {
      for (int i = 0; i < run.count(); i++) {
        send(device.command(Math.round(run.nanos() * scale)), --left == 0, arrivedNanos);
      }
    }
  }

  private void sendSlowly(long[] nanos, int next, long arrivedNanos, long gapNanos) {
    boolean last = next == nanos.length - 1;
    send(device.command(nanos[next]), last, arrivedNanos);
    if (!last) {
      loop.at(
          loop.nowNanos() + gapNanos, () -> sendSlowly(nanos, next + 1, arrivedNanos, gapNanos));
    }
  }

  private void send(VirtualCommand command, boolean last, long arrivedNanos) {
    if (last) {
      sentNanos = loop.nowNanos();
      outlet.sendLast(command, () -> done(arrivedNanos));
    } else {
      outlet.send(command);
    }
  }

  private long[] commands(double scale) {
    return spec.task().commands().stream()
        .flatMapToLong(
            r -> LongStream.generate(() -> Math.round(r.nanos() * scale)).limit(r.count()))
        .toArray();
  }

  private void done(long arrivedNanos) {
    demand.ends();
    wantingNanos = totalWantingNanos();
    wanting = false;
    long now = loop.nowNanos();
    waitedNanos += now - sentNanos;
    latencies.add(now - arrivedNanos);
    watcher.ended(arrivedNanos, now);
    atWork = false;
    if (spec.arrivals() instanceof Arrivals.Continuous) {
      arrive();
    } else {
      beginIfItCan();
    }
    if (admission != null) {
      admission.ended();
    }
  }
}
