package dev.xsched.bench;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.queue.Command;
import dev.xsched.queue.XQueue;
import dev.xsched.sim.DeviceModels;
import dev.xsched.sim.Simulation;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Events per second of a simulation with all its parts: four programs that always have work, real
 * queues, the real scheduler with a policy that switches by time slices, and a device.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SimulatorBenchmark {
  private static final int PROGRAMS = 4;
  private static final int PENDING = 32;
  private static final long COMMAND_NANOS = 20_000;

  private Simulation simulation = newSimulation();

  private static Simulation newSimulation() {
    return new Simulation(
        DeviceModels.load("gv100"), Policies.named("UP"), Duration.ofNanos(10_000), 1);
  }

  @Setup
  public void fill() {
    simulation = newSimulation();
    for (int i = 0; i < PROGRAMS; i++) {
      Hints hints = Hints.DEFAULT.with(Hint.UTILIZATION, 25, Hints.Source.APPLICATION);
      XQueue queue = simulation.newQueue("program " + i, hints).queue();
      for (int j = 0; j < PENDING; j++) {
        submit(queue);
      }
    }
  }

  private void submit(XQueue queue) {
    Command command = simulation.device().command(COMMAND_NANOS);
    queue.submit(command.onFinish(() -> submit(queue)));
  }

  /** An operation is one event. */
  @Benchmark
  public boolean step() {
    return simulation.loop().step();
  }
}
