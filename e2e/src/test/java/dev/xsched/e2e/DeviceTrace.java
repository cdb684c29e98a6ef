package dev.xsched.e2e;

import dev.xsched.sim.shared.SharedRun;
import dev.xsched.sim.shared.SharedXpu;
import java.nio.file.Path;
import java.util.List;

/** Who ran when on a shared virtual XPU: the device's own account, not the daemon's. */
record DeviceTrace(List<SharedRun> runs) {
  /**
   * Percent. Whoever has the device to itself gets this much at least, where it would get half
   * beside an equal. It is not all: while the machine keeps its threads from running for longer
   * than it has work in flight (2 ms), others may use the device.
   */
  static final double ALMOST_ALL = 75;

  static DeviceTrace read(Path device) {
    try (SharedXpu xpu = SharedXpu.open(device)) {
      return new DeviceTrace(xpu.runs());
    }
  }

  /** What started within a time. */
  DeviceTrace between(long fromNanos, long toNanos) {
    return new DeviceTrace(
        runs.stream()
            .filter(r -> r.startNanos() >= fromNanos && r.startNanos() < toNanos)
            .toList());
  }

  DeviceTrace of(Load load) {
    return of(load.pid());
  }

  private DeviceTrace of(long pid) {
    return new DeviceTrace(runs.stream().filter(r -> r.pid() == pid).toList());
  }

  /** The part of the device's time that one process got, by the number that it has for itself. */
  double percentOf(int pid) {
    long nanos = new DeviceTrace(runs.stream().filter(r -> r.pid() == pid).toList()).nanos();
    return 100.0 * nanos / Math.max(1, nanos());
  }

  /** Device time of all runs. */
  long nanos() {
    return runs.stream().mapToLong(r -> r.endNanos() - r.startNanos()).sum();
  }

  /** The part of the device's time that one program got, in percent. */
  double percentOf(Load load) {
    return percentOf(load.pid());
  }

  double percentOf(long pid) {
    return 100.0 * of(pid).nanos() / Math.max(1, nanos());
  }

  int size() {
    return runs.size();
  }
}
