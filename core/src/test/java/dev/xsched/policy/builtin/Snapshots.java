package dev.xsched.policy.builtin;

import dev.xsched.policy.Decision;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policy;
import dev.xsched.policy.ProcessView;
import dev.xsched.policy.QueueView;
import dev.xsched.policy.Snapshot;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a snapshot queue by queue, so that a test reads as a table. */
final class Snapshots {
  static final long MILLI = 1_000_000;

  private final List<QueueView> queues = new ArrayList<>();
  private long nowNanos = 1_000 * MILLI;
  private Hints system = Hints.DEFAULT;
  private final BitSet slicing = new BitSet();
  private @Nullable Object memory;

  static Snapshots snapshot() {
    return new Snapshots();
  }

  static Hints hints(Hint hint, long value) {
    return Hints.DEFAULT.with(hint, value, Hints.Source.APPLICATION);
  }

  static Hints priority(int priority) {
    return hints(Hint.PRIORITY, priority);
  }

  static Hints utilization(int percent) {
    return hints(Hint.UTILIZATION, percent);
  }

  Snapshots now(long nanos) {
    nowNanos = nanos;
    return this;
  }

  Snapshots system(Hint hint, long value) {
    system = system.with(hint, value, Hints.Source.APPLICATION);
    return this;
  }

  Snapshots slicing(int device) {
    slicing.set(device);
    return this;
  }

  Snapshots memory(@Nullable Object newMemory) {
    memory = newMemory;
    return this;
  }

  Snapshots ready(int device, Hints hints) {
    return readySince(nowNanos, device, hints);
  }

  Snapshots readySince(long sinceNanos, int device, Hints hints) {
    return queue(device, process(queues.size() + 1, 0), true, sinceNanos, hints, null);
  }

  Snapshots idle(int device, Hints hints) {
    return queue(device, process(queues.size() + 1, 0), false, 0, hints, null);
  }

  Snapshots queue(
      int device,
      ProcessView process,
      boolean ready,
      long sinceNanos,
      Hints hints,
      @Nullable Object queueMemory) {
    int id = queues.size() + 1;
    queues.add(
        new QueueView(
            id,
            device,
            process,
            ready,
            sinceNanos,
            true,
            0,
            nowNanos,
            0,
            0,
            false,
            hints,
            queueMemory));
    return this;
  }

  /** A process whose id is its pid, and whose slot is one less. */
  static ProcessView process(int pid, int nice) {
    return new ProcessView(pid, pid - 1, pid, nice);
  }

  Snapshot build() {
    int devices = queues.stream().mapToInt(q -> q.device() + 1).max().orElse(0);
    int slots = queues.stream().mapToInt(q -> q.process().slot() + 1).max().orElse(0);
    return new Snapshot(nowNanos, List.copyOf(queues), devices, slots, system, slicing, memory);
  }

  Decision decideWith(Policy policy) {
    return policy.decide(build());
  }

  /** Returns the ids of the queues that run; the first queue has id 1. */
  List<Integer> runWith(Policy policy) {
    Decision decision = decideWith(policy);
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      if (decision.runs(i)) {
        ids.add(i + 1);
      }
    }
    return ids;
  }
}
