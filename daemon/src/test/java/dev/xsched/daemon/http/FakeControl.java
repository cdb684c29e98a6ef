package dev.xsched.daemon.http;

import dev.xsched.daemon.api.Caller;
import dev.xsched.daemon.api.DaemonControl;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.DeviceState;
import dev.xsched.daemon.api.DaemonState.HintState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.daemon.api.NotAllowedException;
import dev.xsched.daemon.api.QueueConfig;
import dev.xsched.daemon.api.Run;
import dev.xsched.daemon.api.Statistic;
import dev.xsched.policy.Hint;
import dev.xsched.policy.Hints;
import dev.xsched.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A daemon without programs or devices: it remembers what it was asked and shows programs that the
 * test put there. The program with the highest priority runs, the others wait.
 */
final class FakeControl implements DaemonControl {
  static final int OWNER = 1000;

  private static final long PERIOD_NANOS = 160_000_000;
  private static final long STARTED = System.nanoTime() - 10 * PERIOD_NANOS;

  /** A program as a test puts it there; with one queue for each of those names. */
  record FakeProgram(long pid, String name, String user, List<String> queues) {}

  private final List<FakeProgram> programs;
  private final List<String> asked = new ArrayList<>();
  private final Map<String, Hints> hints = new LinkedHashMap<>();
  private final Map<String, QueueConfig> configs = new LinkedHashMap<>();
  private final List<MechanismChange> changes = new ArrayList<>();
  private String policy = "HPF";
  private boolean still;
  private @Nullable RuntimeException failure;

  FakeControl(List<FakeProgram> programs) {
    this.programs = programs;
  }

  /** Two programs that share a simulated device. */
  static FakeControl withTwoPrograms() {
    return new FakeControl(
        List.of(
            new FakeProgram(4711, "serve", "alice", List.of("stream 0")),
            new FakeProgram(4712, "train", "bob", List.of("stream 0", "copies"))));
  }

  /** What it was asked to change, in words. */
  synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  synchronized void failWith(@Nullable RuntimeException failure) {
    this.failure = failure;
  }

  /** From now on nothing happens but time. */
  synchronized void standStill() {
    still = true;
  }

  @Override
  public synchronized DaemonState state() {
    if (failure != null) {
      throw failure;
    }
    long now = System.nanoTime();
    List<ProgramState> shown = new ArrayList<>();
    long id = 1;
    for (FakeProgram program : programs) {
      List<QueueState> queues = new ArrayList<>();
      for (int slot = 0; slot < program.queues().size(); slot++) {
        queues.add(queue(program, slot, id++));
      }
      long used = queues.stream().mapToLong(QueueState::usedNanos).sum();
      shown.add(
          new ProgramState(
              program.pid(),
              program.pid(),
              12345,
              0,
              program.name(),
              1000,
              program.user(),
              0,
              false,
              used,
              queues));
    }
    return new DaemonState(
        "0.1.0",
        1,
        4242,
        OWNER,
        "/run/xsched",
        now,
        now - STARTED,
        policy,
        false,
        labelled("system", Hint.Scope.SYSTEM),
        programs.isEmpty() ? List.of() : List.of(new DeviceState(0, "shared:gv100", 200)),
        shown,
        statistics(),
        histogram(900, 12, 80, 300, 140, 22, 3),
        histogram(400_000, 0, 3, 12, 40, 25, 6));
  }

  private QueueState queue(FakeProgram program, int slot, long id) {
    String key = program.pid() + "/" + slot;
    boolean idle = slot > 0;
    boolean runs = !idle && program.equals(leader());
    long count = still ? 100 : (System.nanoTime() - STARTED) / 2_000_000;
    MechanismChange change = lastOf(id);
    QueueConfig config = configs.getOrDefault(key, new QueueConfig(500L, 0, 0, 2));
    return new QueueState(
        id,
        slot,
        program.queues().get(slot),
        0,
        false,
        idle ? "idle" : runs ? "running" : "waiting",
        idle ? 0 : still ? 1_000_000 : 8_300_000,
        idle || runs,
        runs ? 1 : 300,
        List.of(1, 2),
        or(config.level(), 2),
        or(config.windowMicros(), 500L),
        or(config.windowCommands(), 0),
        or(config.windowBatch(), 0),
        labelled(key, Hint.Scope.QUEUE),
        count,
        count,
        Math.max(0, count - 2),
        1_900_000,
        count * 1_900_000,
        count * 1_200_000,
        runs ? 3 : 214,
        runs ? 4_000_000 : 812_000_000,
        change == null ? 0 : change.sliceMicros(),
        change == null ? "" : change.mechanism(),
        change == null ? "" : change.reason(),
        change == null ? 0 : 2,
        change == null ? 0 : 3,
        "none",
        0,
        0,
        null);
  }

  private static <T> T or(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private @Nullable FakeProgram leader() {
    FakeProgram best = null;
    for (FakeProgram program : programs) {
      if (best == null || priority(program) > priority(best)) {
        best = program;
      }
    }
    return best;
  }

  private int priority(FakeProgram program) {
    return hints.getOrDefault(program.pid() + "/0", Hints.DEFAULT).priority();
  }

  private Map<String, HintState> labelled(String key, Hint.Scope scope) {
    Hints values = hints.getOrDefault(key, Hints.DEFAULT);
    Map<String, HintState> shown = new LinkedHashMap<>();
    for (Hint hint : Hint.values()) {
      if (hint.scope() == scope) {
        shown.put(
            hint.label(),
            new HintState(
                values.get(hint) == Hint.UNSET ? null : values.get(hint),
                values.source(hint).name().toLowerCase(Locale.ROOT).replace('_', '-')));
      }
    }
    return shown;
  }

  private static Map<String, Long> statistics() {
    Map<String, Long> values = new LinkedHashMap<>();
    for (Statistic statistic : Statistic.values()) {
      values.put(statistic.label(), 1_500_000_000L + statistic.ordinal());
    }
    return values;
  }

  private static DaemonState.Histogram histogram(long first, long... counts) {
    List<Long> bounds = new ArrayList<>();
    List<Long> all = new ArrayList<>();
    long count = 0;
    for (int i = 0; i < counts.length; i++) {
      if (i < counts.length - 1) {
        bounds.add(first << (2 * i));
      }
      all.add(counts[i]);
      count += counts[i];
    }
    return new DaemonState.Histogram(bounds, all, count, count * first, bounds.getLast());
  }

  /**
   * Every program has a part of every period, the first the shortest; who began first ends first.
   */
  @Override
  public synchronized List<Run> runsAfter(long number) {
    List<Run> runs = new ArrayList<>();
    if (programs.isEmpty()) {
      return runs;
    }
    long now = System.nanoTime();
    long periods = (now - STARTED) / PERIOD_NANOS + 1;
    for (long i = Math.max(0, periods - 100); i < periods; i++) {
      long from = STARTED + i * PERIOD_NANOS;
      long queue = 1;
      for (int p = 0; p < programs.size(); p++) {
        long part = PERIOD_NANOS / (1L << (programs.size() - p));
        part -= (i * 7 % 5) * PERIOD_NANOS / 40;
        long end = from + part >= now ? Long.MAX_VALUE : from + part;
        boolean lasts = end == Long.MAX_VALUE;
        long counted = lasts ? 0 : i * 100 + p + 1;
        if ((lasts || counted > number) && from < now) {
          runs.add(new Run(counted, queue, programs.get(p).pid(), 0, from, end, false, ""));
        }
        from += part;
        queue += programs.get(p).queues().size();
      }
    }
    return runs;
  }

  /** From now on a queue is kept apart from others in another way. */
  synchronized void keepApart(long queue, String mechanism, long sliceMicros, String reason) {
    changes.add(
        new MechanismChange(
            changes.size() + 1L,
            queue,
            programs.getFirst().pid(),
            0,
            System.nanoTime(),
            mechanism,
            sliceMicros,
            reason));
  }

  @Override
  public synchronized List<MechanismChange> changesAfter(long number) {
    return changes.stream().filter(change -> change.number() > number).toList();
  }

  private @Nullable MechanismChange lastOf(long queue) {
    return changes.stream().filter(c -> c.queue() == queue).reduce((_, c) -> c).orElse(null);
  }

  @Override
  public synchronized void setPolicy(Caller caller, String name) {
    onlyOwner(caller);
    policy = Policies.named(name).name();
    asked.add("policy " + policy);
  }

  @Override
  public synchronized List<Long> hint(
      Caller caller, String target, Map<Hint, Long> values, Hints.Source source) {
    asked.add("hint %s %s %s".formatted(target, values, source));
    for (String key : keys(target)) {
      for (Map.Entry<Hint, Long> value : values.entrySet()) {
        hints.put(
            key,
            hints.getOrDefault(key, Hints.DEFAULT).with(value.getKey(), value.getValue(), source));
      }
    }
    return ids(target);
  }

  @Override
  public synchronized List<Long> configure(Caller caller, String target, QueueConfig config) {
    asked.add("configure %s %s".formatted(target, config));
    keys(target).forEach(key -> configs.put(key, config));
    return ids(target);
  }

  private List<Long> ids(String target) {
    List<Long> ids = new ArrayList<>();
    List<String> keys = keys(target);
    long id = 1;
    for (FakeProgram program : programs) {
      for (int slot = 0; slot < program.queues().size(); slot++, id++) {
        if (keys.contains(program.pid() + "/" + slot)) {
          ids.add(id);
        }
      }
    }
    return ids;
  }

  private List<String> keys(String target) {
    if (target.equals("system")) {
      return List.of("system");
    }
    List<String> keys = new ArrayList<>();
    for (FakeProgram program : programs) {
      for (int slot = 0; slot < program.queues().size(); slot++) {
        String key = program.pid() + "/" + slot;
        if (target.equals(key) || target.equals("" + program.pid())) {
          keys.add(key);
        }
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("nothing is called '" + target + "'; see xsched list");
    }
    return keys;
  }

  @Override
  public synchronized void stop(Caller caller) {
    onlyOwner(caller);
    asked.add("stop");
  }

  private static void onlyOwner(Caller caller) {
    if (!caller.isRoot() && caller.uid() != OWNER) {
      throw new NotAllowedException("only the daemon's owner and root may; ask uid " + OWNER);
    }
  }
}
