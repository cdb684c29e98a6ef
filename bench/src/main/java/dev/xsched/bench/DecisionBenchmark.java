package dev.xsched.bench;

import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import dev.xsched.policy.ProcessView;
import dev.xsched.scheduler.Scheduler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What an event costs until its consequences are ordered: one queue turns ready or idle, the
 * snapshot is taken, the policy decides, the differences are ordered. All other queues are ready,
 * which is the worst case.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class DecisionBenchmark {
  private static final int DEVICES = 4;
  private static final int QUEUES_PER_PROCESS = 2;
  private static final long EVENT_NANOS = 100_000;

  @Param("HPF")
  String policy = "HPF";

  @Param({"1000", "10000"})
  int queues;

  private Scheduler scheduler = newScheduler();
  private long nowNanos;
  private long events;
  private long orders;

  private Scheduler newScheduler() {
    return new Scheduler(
        Policies.named(policy), () -> nowNanos, at -> {}, (queue, run) -> orders++);
  }

  @Setup
  public void fill() {
    scheduler = newScheduler();
    ProcessView process = scheduler.addProcess(1, 0);
    for (int i = 0; i < queues; i++) {
      if (i % QUEUES_PER_PROCESS == 0) {
        process = scheduler.addProcess(i, i % 40 - 20);
      }
      scheduler.addQueue(i, i % DEVICES, process, hints(i));
      scheduler.ready(i, i);
    }
  }

  private static Hints hints(int i) {
    return Hints.DEFAULT
        .with(Hint.PRIORITY, i % 64, Hints.Source.APPLICATION)
        .with(Hint.UTILIZATION, 1 + i % 100, Hints.Source.APPLICATION)
        .with(Hint.DEADLINE, 1_000 + i % 997, Hints.Source.APPLICATION)
        .with(Hint.LAXITY, 1_000 + i % 991, Hints.Source.APPLICATION)
        .with(Hint.CRITICAL_PRIORITY, i % 64, Hints.Source.APPLICATION);
  }

  @Benchmark
  public long decide() {
    nowNanos += EVENT_NANOS;
    long queue = events++ / 2 * 7919 % queues;
    if (events % 2 == 0) {
      scheduler.ready(queue, nowNanos);
    } else {
      scheduler.idle(queue);
    }
    scheduler.decide();
    return orders;
  }
}
