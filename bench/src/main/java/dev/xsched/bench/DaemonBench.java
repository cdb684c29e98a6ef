package dev.xsched.bench;

import dev.xsched.bench.ResultRecord.Criterion;
import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.Statistic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Measures a daemon with real processes around it, and judges it against our goals: how much it can
 * hear, how fast it reacts, what it costs when nothing happens. One daemon for all three, in this
 * order, so that the load has warmed it up for the other two.
 */
public final class DaemonBench {
  /**
   * How much of it to do.
   *
   * @param rounds of the latency measurement, each with a sample of every kind
   */
  public record Extent(int loadSeconds, int rounds, int idleSeconds) {
    public static final Extent FULL = new Extent(60, 5_000, 30);
    public static final Extent QUICK = new Extent(5, 500, 5);

    /** How long that takes: a round has three sleeps of 1 to 3 ms; starting and settling. */
    public Duration expected() {
      return Duration.ofMillis(
          1_000L * (loadSeconds + idleSeconds) + 6L * rounds + 2_000 + SETTLE_MILLIS + 6_000);
    }
  }

  private static final String POLICY = "HPF";
  private static final int PROGRAMS = 100;
  private static final int QUEUES = 20;
  private static final int CHANGES_PER_SECOND = 20_000;
  private static final int IDLE_PROGRAMS = 3;

  private static final double STORE_P99_MICROS = 5;
  private static final double TIMES_FUTEX = 2;
  private static final double LOAD_CORES = 0.5;
  private static final double IDLE_CORES = 0.005;

  /** The compilers and the collector have finished by then. */
  private static final long SETTLE_MILLIS = 3_000;

  private static final int WARM_UP_REQUESTS = 10;
  private static final Duration HEARD_WITHIN = Duration.ofSeconds(2);

  private final Path programs;
  private final Extent extent;
  private final Consumer<String> step;
  private final DaemonProcess daemon;
  private final Map<String, Object> results = new TreeMap<>();
  private final List<Criterion> criteria = new ArrayList<>();

  private DaemonBench(Path programs, Extent extent, Consumer<String> step, DaemonProcess daemon) {
    this.programs = programs;
    this.extent = extent;
    this.step = step;
    this.daemon = daemon;
  }

  /**
   * Runs everything.
   *
   * @param step told what begins
   * @throws IllegalArgumentException if the C programs are not built
   */
  public static ResultRecord run(
      Extent extent, String version, String commit, Consumer<String> step)
      throws IOException, InterruptedException {
    Path programs = NativeProgram.folder();
    for (String name : List.of("latency", "changes")) {
      if (!Files.isExecutable(programs.resolve(name))) {
        throw new IllegalArgumentException(
            "%s is not there; build it by: make -C native".formatted(programs.resolve(name)));
      }
    }
    step.accept("starting a daemon");
    try (DaemonProcess daemon = DaemonProcess.start(POLICY)) {
      DaemonBench bench = new DaemonBench(programs, extent, step, daemon);
      bench.measureLoad();
      bench.measureLatency();
      bench.measureIdle();
      return bench.record(version, commit);
    }
  }

  private ResultRecord record(String version, String commit) {
    Map<String, String> configuration = new TreeMap<>();
    configuration.put("policy", POLICY);
    configuration.put("daemon_jvm", String.join(" ", DaemonProcess.JVM_OPTIONS));
    configuration.put("load", "%d programs x %d queues".formatted(PROGRAMS, QUEUES));
    configuration.put("load_seconds", Integer.toString(extent.loadSeconds()));
    configuration.put("latency_rounds", Integer.toString(extent.rounds()));
    configuration.put("idle_programs", Integer.toString(IDLE_PROGRAMS));
    configuration.put("idle_seconds", Integer.toString(extent.idleSeconds()));
    return new ResultRecord(
        "daemon",
        "The daemon under load, its reaction, and its cost when idle",
        Instant.now(),
        Machine.hardware(),
        Machine.runtime(),
        version,
        commit,
        "./xsched bench daemon" + (extent.equals(Extent.QUICK) ? " --quick" : ""),
        extent.equals(Extent.QUICK),
        configuration,
        results,
        criteria,
        List.of(
            "each latency round takes one sample of each kind: store, daemon and the machine's"
                + " futex wake, while the low program spins on its words on a core of its own",
            "decision times are upper bounds of buckets that double, counted by the daemon from"
                + " the earliest change that a decision answers"));
  }

  private void measureLoad() throws IOException, InterruptedException {
    step.accept("%d programs register".formatted(PROGRAMS));
    try (NativeProgram changes = changes(PROGRAMS, CHANGES_PER_SECOND, extent.loadSeconds())) {
      long[] registered = changes.numbersAfter("registered");
      results.put("load_registration_ms", registered[0] / 1e6);
      results.put("load_registered_late", registered[1]);
      DaemonState before = warmState();
      step.accept(
          "%,d changes a second for %d s".formatted(CHANGES_PER_SECOND, extent.loadSeconds()));
      changes.goOn();
      long[] counted = changes.numbersAfter("changes");
      DaemonState after = heard(before, counted[0]);
      changes.goOn();
      judgeLoad(before, after, counted[0], counted[1]);
    }
  }

  private void judgeLoad(DaemonState before, DaemonState after, long changes, long nanos) {
    long events = grown(Statistic.EVENTS, before, after);
    double rate = changes * 1e9 / nanos;
    results.put("load_programs", before.programs().size());
    results.put("load_queues", before.statistics().get(Statistic.QUEUES.label()));
    results.put("load_changes", changes);
    results.put("load_changes_per_second", rate);
    results.put("load_events_heard", events);
    results.put(
        "load_decisions_per_second",
        grown(Statistic.DECISIONS, before, after) * 1e9 / wall(before, after));
    Times.between(before.decisionNanos(), after.decisionNanos()).putInto(results, "load_decision");
    criteria.add(
        new Criterion(
            "programs registered",
            "= " + PROGRAMS,
            before.programs().size(),
            before.programs().size() == PROGRAMS));
    // The last change of each program is at the end or a little before it.
    criteria.add(
        new Criterion(
            "changes per second",
            ">= " + CHANGES_PER_SECOND * 99 / 100,
            rate,
            rate >= CHANGES_PER_SECOND * 0.99));
    criteria.add(new Criterion("changes lost", "= 0", changes - events, changes == events));
    atMost("daemon CPU under load, cores", cores(before, after), LOAD_CORES);
  }

  private void measureLatency() throws IOException, InterruptedException {
    step.accept("%,d rounds of latency".formatted(extent.rounds()));
    try (NativeProgram latency =
        NativeProgram.start(programs.resolve("latency"), daemon, extent.rounds())) {
      List<long[]> rounds = latency.rest();
      Times store = column(rounds, 0, "latency_store");
      Times daemonPath = column(rounds, 1, "latency_daemon");
      Times futex = column(rounds, 2, "machine_futex_wake");
      atMost("store path p99, us", store.p99Micros(), STORE_P99_MICROS);
      atMost(
          "daemon path p50 (2 x futex wake), us",
          daemonPath.p50Micros(),
          TIMES_FUTEX * futex.p50Micros());
      atMost(
          "daemon path p99 (2 x futex wake), us",
          daemonPath.p99Micros(),
          TIMES_FUTEX * futex.p99Micros());
    }
  }

  private Times column(List<long[]> rounds, int column, String name) {
    Times times = Times.of(rounds.stream().mapToLong(round -> round[column]).toArray());
    times.putInto(results, name);
    return times;
  }

  private void measureIdle() throws IOException, InterruptedException {
    try (NativeProgram changes = changes(IDLE_PROGRAMS, 0, extent.idleSeconds())) {
      long[] _ = changes.numbersAfter("registered");
      step.accept("%d idle programs for %d s".formatted(IDLE_PROGRAMS, extent.idleSeconds()));
      warmState();
      Thread.sleep(SETTLE_MILLIS);
      DaemonState before = daemon.state();
      changes.goOn();
      long[] _ = changes.numbersAfter("changes");
      DaemonState after = daemon.state();
      changes.goOn();
      atMost("daemon CPU when idle, cores", cores(before, after), IDLE_CORES);
      results.put("idle_cpu_ms", grown(Statistic.CPU_NANOS, before, after) / 1e6);
    }
  }

  private NativeProgram changes(int count, int rate, int seconds) throws IOException {
    return NativeProgram.start(programs.resolve("changes"), daemon, count, QUEUES, rate, seconds);
  }

  /** The state, after it was asked for often enough that asking once more costs little. */
  private DaemonState warmState() throws IOException, InterruptedException {
    for (int i = 0; i < WARM_UP_REQUESTS; i++) {
      daemon.state();
    }
    return daemon.state();
  }

  /** The state once the daemon has heard so many changes, or when it should have. */
  private DaemonState heard(DaemonState before, long changes)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + HEARD_WITHIN.toNanos();
    DaemonState after = daemon.state();
    while (grown(Statistic.EVENTS, before, after) < changes && System.nanoTime() < end) {
      Thread.sleep(100);
      after = daemon.state();
    }
    return after;
  }

  private static double cores(DaemonState before, DaemonState after) {
    return grown(Statistic.CPU_NANOS, before, after) / wall(before, after);
  }

  private static double wall(DaemonState before, DaemonState after) {
    return after.nowNanos() - before.nowNanos();
  }

  private static long grown(Statistic statistic, DaemonState before, DaemonState after) {
    ToLongFunction<DaemonState> value =
        state -> state.statistics().getOrDefault(statistic.label(), 0L);
    return value.applyAsLong(after) - value.applyAsLong(before);
  }

  private void atMost(String name, double value, double goal) {
    criteria.add(
        new Criterion(name, "< " + new DecimalFormat("0.####").format(goal), value, value < goal));
  }
}
