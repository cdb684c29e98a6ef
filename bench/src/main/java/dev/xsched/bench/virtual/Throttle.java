package dev.xsched.bench.virtual;

import dev.xsched.bench.baseline.RateController;
import dev.xsched.bench.baseline.TokenBucket;
import dev.xsched.queue.LaunchGate;
import dev.xsched.sim.Client;
import dev.xsched.sim.Simulation;
import dev.xsched.sim.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Bounds the device time of one program by a token bucket at its launches, on virtual time. */
final class Throttle implements LaunchGate {
  private final VirtualLoop loop;
  private final TokenBucket bucket;
  private final long refillNanos;
  private final List<Simulation.Gated> members = new ArrayList<>();
  private long lastBusyNanos;

  Throttle(VirtualLoop loop, double percent, Duration refill) {
    this.loop = loop;
    this.bucket = new TokenBucket(percent);
    this.refillNanos = refill.toNanos();
    bucket.refill(refillNanos, 0);
    loop.at(loop.nowNanos() + refillNanos, this::tick);
  }

  void add(Simulation.Gated member) {
    members.add(member);
  }

  /** Adjusts the share by feedback from how much of the device the other client gets. */
  void follow(Client kept, Duration adjust) {
    RateController controller = new RateController();
    long everyNanos = adjust.toNanos();
    Runnable adjusting =
        new Runnable() {
          private long busyBefore = kept.totalBusyNanos();
          private long wantingBefore = kept.totalWantingNanos();

          @Override
          public void run() {
            long busy = kept.totalBusyNanos();
            long wanting = kept.totalWantingNanos();
            bucket.setPercent(
                controller.adjust((double) (busy - busyBefore) / (wanting - wantingBefore)));
            busyBefore = busy;
            wantingBefore = wanting;
            loop.at(loop.nowNanos() + everyNanos, this);
          }
        };
    loop.at(loop.nowNanos() + everyNanos, adjusting);
  }

  @Override
  public boolean open() {
    return bucket.open();
  }

  private void tick() {
    long busy = members.stream().mapToLong(m -> m.client().totalBusyNanos()).sum();
    bucket.refill(refillNanos, busy - lastBusyNanos);
    lastBusyNanos = busy;
    members.forEach(Simulation.Gated::recheck);
    loop.at(loop.nowNanos() + refillNanos, this::tick);
  }
}
