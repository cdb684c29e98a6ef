package dev.xsched.sim;

import java.util.ArrayDeque;
import java.util.random.RandomGenerator;

/** A program in a {@link Simulation}: sends its tasks and measures them. */
public final class Client {
  private final ClientSpec spec;
  private final EventLoop loop;
  private final VirtualXpu device;
  private final RandomGenerator random;
  private final VirtualQueue hwQueue;
  private final Outlet outlet;
  private final DemandMeter demand;
  private final ArrayDeque<Long> backlog = new ArrayDeque<>();
  private final Samples latencies = new Samples();
  private boolean atWork;
  private long busyBeforeNanos;

  Client(
      ClientSpec spec,
      EventLoop loop,
      VirtualXpu device,
      RandomGenerator random,
      VirtualQueue hwQueue,
      Outlet outlet,
      DemandMeter demand) {
    this.spec = spec;
    this.loop = loop;
    this.device = device;
    this.random = random;
    this.hwQueue = hwQueue;
    this.outlet = outlet;
    this.demand = demand;
  }

  /** Latencies of the tasks that ended since {@link Simulation#startMeasuring}. */
  public Samples latencies() {
    return latencies;
  }

  /** Device time that this client got since then. */
  public long busyNanos() {
    return hwQueue.busyNanos() - busyBeforeNanos;
  }

  void startMeasuring() {
    latencies.clear();
    busyBeforeNanos = hwQueue.busyNanos();
  }

  void start() {
    switch (spec.arrivals()) {
      case Arrivals.Continuous _ -> arrive();
      case Arrivals.Periodic periodic -> arriveAndPlanNext(periodic);
    }
  }

  private void arriveAndPlanNext(Arrivals.Periodic periodic) {
    arrive();
    double factor = 1 + periodic.spread() * (2 * random.nextDouble() - 1);
    long interval = Math.round(periodic.period().toNanos() * factor);
    loop.at(loop.nowNanos() + interval, () -> arriveAndPlanNext(periodic));
  }

  private void arrive() {
    backlog.addLast(loop.nowNanos());
    if (!atWork) {
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
    int left = spec.task().commandCount();
    for (TaskModel.Run run : spec.task().commands()) {
      for (int i = 0; i < run.count(); i++) {
        VirtualCommand command = device.command(Math.round(run.nanos() * scale));
        if (--left > 0) {
          outlet.send(command);
        } else {
          outlet.sendLast(command, () -> done(arrivedNanos));
        }
      }
    }
  }

  private void done(long arrivedNanos) {
    demand.ends();
    latencies.add(loop.nowNanos() - arrivedNanos);
    atWork = false;
    if (spec.arrivals() instanceof Arrivals.Continuous) {
      arrive();
    } else if (!backlog.isEmpty()) {
      beginNext();
    }
  }
}
