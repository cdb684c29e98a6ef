package dev.xsched.daemon;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.link.Block;
import dev.xsched.link.Slot;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.QueueView;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts together what there is to see. Runs while nothing changes. */
final class StateView {
  private final Dispatcher dispatcher;
  private final Users users;
  private final String version;
  private final int owner;
  private final String directory;
  private final long startNanos = System.nanoTime();

  StateView(Dispatcher dispatcher, Users users, String version, int owner, String directory) {
    this.dispatcher = dispatcher;
    this.users = users;
    this.version = version;
    this.owner = owner;
    this.directory = directory;
  }

  DaemonState state() {
    long now = System.nanoTime();
    List<ProgramState> programs = new ArrayList<>();
    for (Program program : dispatcher.programs()) {
      programs.add(program(program, now));
    }
    return new DaemonState(
        version,
        Block.PROTOCOL,
        ProcessHandle.current().pid(),
        owner,
        directory,
        now,
        now - startNanos,
        dispatcher.scheduler().policy().name(),
        dispatcher.scheduler().policyBroken(),
        hints(dispatcher.scheduler().system(), Hint.Scope.SYSTEM),
        dispatcher.devices().state(dispatcher.gatekeeper()::ceiling),
        programs,
        statistics(programs, now),
        dispatcher.books().decisions().histogram(),
        dispatcher.books().preemptions().histogram());
  }

  private ProgramState program(Program program, long now) {
    List<QueueState> queues = new ArrayList<>();
    long used = program.usedByGoneQueues;
    for (ManagedQueue queue : program.queues()) {
      QueueView view = dispatcher.scheduler().queue(queue.id());
      used += view.usedNanos(now);
      queues.add(queue(queue, view, now));
    }
    return new ProgramState(
        program.id(),
        program.key().pid(),
        program.key().startTicks(),
        program.generation(),
        program.name(),
        program.uid(),
        users.name(program.uid()),
        program.process.nice(),
        program.stopped,
        used,
        queues);
  }

  private QueueState queue(ManagedQueue queue, QueueView view, long now) {
    Slot slot = queue.slot();
    Mechanism.Kind mechanism = queue.mechanism();
    String state = !queue.ready() ? "idle" : queue.open ? "running" : "waiting";
    List<Integer> levels = new ArrayList<>();
    for (int level = 1; level <= 3; level++) {
      if ((slot.levels() & 1 << (level - 1)) != 0) {
        levels.add(level);
      }
    }
    return new QueueState(
        queue.id(),
        slot.index(),
        queue.name(),
        queue.device(),
        slot.buffered(),
        state,
        queue.ready() ? Math.max(0, now - queue.readySince) : 0,
        queue.open,
        queue.ceiling == Slot.NO_CEILING ? null : Integer.valueOf(queue.rank),
        levels,
        queue.level,
        queue.windowNanos / 1_000,
        queue.windowCommands,
        queue.windowBatch,
        hints(view.hints(), Hint.Scope.QUEUE),
        slot.submitted(),
        slot.launched(),
        slot.completed(),
        slot.commandNanos(),
        slot.busyNanos(),
        view.usedNanos(now),
        slot.gateWaits(),
        slot.gateWaitNanos(),
        queue.sliceMicros(),
        mechanism == null ? "" : mechanism.label(),
        queue.reason(),
        queue.sliceOrders(),
        queue.interrupts,
        queue.interruption.name().toLowerCase(Locale.ROOT),
        queue.earlyTurns(),
        queue.earlyTurnsInVain(),
        dispatcher.scheduler().goal(queue.id()));
  }

  private static Map<String, HintState> hints(Hints hints, Hint.Scope scope) {
    Map<String, HintState> all = new LinkedHashMap<>();
    for (Hint hint : Hint.values()) {
      if (hint.scope() == scope) {
        long value = hints.get(hint);
        String source = hints.source(hint).name().toLowerCase(Locale.ROOT).replace('_', '-');
        @Nullable Long shown = value == Hint.UNSET ? null : Long.valueOf(value);
        all.put(hint.label(), new HintState(shown, source));
      }
    }
    return all;
  }

  private Map<String, Long> statistics(List<ProgramState> programs, long now) {
    Map<String, Long> all = new LinkedHashMap<>();
    for (Statistic statistic : Statistic.values()) {
      long value =
          switch (statistic) {
            case PROGRAMS -> programs.size();
            case QUEUES -> queues(programs, "");
            case QUEUES_READY -> queues(programs, "running") + queues(programs, "waiting");
            case QUEUES_RUNNING -> queues(programs, "running");
            case CEILINGS_LOWERED -> dispatcher.gatekeeper().lowered();
            case SLICE_ORDERS -> dispatcher.gatekeeper().sliceOrders();
            case GATE_CLOSED_NANOS -> dispatcher.books().count(statistic) + heldNow(now);
            case CPU_NANOS -> cpuNanos();
            default -> dispatcher.books().count(statistic);
          };
      all.put(statistic.label(), value);
    }
    return all;
  }

  private long heldNow(long now) {
    long sum = 0;
    for (Program program : dispatcher.programs()) {
      for (ManagedQueue queue : program.queues()) {
        sum += queue.heldSince == ManagedQueue.NOT ? 0 : now - queue.heldSince;
      }
    }
    return sum;
  }

  private static long queues(List<ProgramState> programs, String state) {
    return programs.stream()
        .flatMap(p -> p.queues().stream())
        .filter(q -> state.isEmpty() || q.state().equals(state))
        .count();
  }

  private static long cpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean bean
        ? bean.getProcessCpuTime()
        : 0;
  }
}
