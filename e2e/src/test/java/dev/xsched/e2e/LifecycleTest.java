package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.Statistic;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs and daemons come and go. */
class LifecycleTest {
  private static final long MILLI = 1_000_000;

  /**
   * Percent. Whoever has the device to itself gets this much at least: where the machine keeps its
   * threads from running for longer than it has work in flight (2 ms), others may use the device.
   */
  private static final double ALMOST_ALL = 90;

  @Test
  void programsRunOnWithoutTheDaemonAndAreAdoptedByTheNextWithTheirHints() throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess first = machine.startDaemon("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      Load high = load(machine, "high").priority(10).start();
      first.awaitPrograms(2);
      first.hint("low", "priority", 20);
      first.hint("high", "utilization", 40);
      Thread.sleep(300);
      first.kill();
      long killed = System.nanoTime();
      Thread.sleep(1_500);
      DaemonProcess second = machine.startDaemon();
      DaemonState state = second.awaitPrograms(2);
      long back = System.nanoTime();
      assertThat(state.policy()).isEqualTo("HPF");
      assertThat(state.statistics().get(Statistic.PROGRAMS_ADOPTED.label())).isEqualTo(2);
      assertHint(state, "low", "priority", 20, "rest");
      assertHint(state, "high", "priority", 10, "application");
      assertHint(state, "high", "utilization", 40, "rest");
      Thread.sleep(1_000);
      DeviceTrace trace = machine.trace();
      DeviceTrace alone = trace.between(killed + 700 * MILLI, killed + 1_400 * MILLI);
      assertThat(alone.percentOf(high)).as("share of high without a daemon").isBetween(20.0, 80.0);
      assertThat(trace.between(back + 100 * MILLI, Long.MAX_VALUE).percentOf(low))
          .as("low, whose priority was raised by the daemon before")
          .isGreaterThan(ALMOST_ALL);
      assertThat(low.end().exactlyOnce()).isTrue();
      assertThat(high.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void aDaemonThatStopsInGoodOrderLetsEverybodyRun() throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      Load high = load(machine, "high").priority(10).start();
      daemon.awaitPrograms(2);
      assertThat(daemon.send("POST", "/api/v1/stop", "", daemon.token()).statusCode())
          .isEqualTo(202);
      long end = System.nanoTime() + 5_000 * MILLI;
      while (daemon.alive() && System.nanoTime() < end) {
        Thread.sleep(10);
      }
      assertThat(daemon.alive()).isFalse();
      long stopped = System.nanoTime();
      Thread.sleep(1_000);
      DeviceTrace alone = machine.trace().between(stopped + 300 * MILLI, Long.MAX_VALUE);
      assertThat(alone.percentOf(low)).isBetween(20.0, 80.0);
      assertThat(low.end().exactlyOnce()).isTrue();
      assertThat(high.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void theDeathOfAProgramFreesTheOthersAtOnce() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      machine.daemon().awaitPrograms(1);
      long worst = 0;
      for (int i = 0; i < 5; i++) {
        Load high = load(machine, "high").priority(10).start();
        machine.daemon().awaitPrograms(2);
        Thread.sleep(200);
        high.signal("KILL");
        long killed = System.nanoTime();
        machine.daemon().awaitPrograms(1);
        Thread.sleep(300);
        long next =
            machine.trace().of(low).between(killed, Long.MAX_VALUE).runs().getFirst().startNanos();
        worst = Math.max(worst, next - killed);
      }
      assertThat(worst).as("nanoseconds from death to the next run of low").isLessThan(100 * MILLI);
      assertThat(low.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void aStoppedProgramHoldsNobodyBack() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      Load high = load(machine, "high").priority(10).start();
      machine.daemon().awaitPrograms(2);
      Thread.sleep(300);
      high.signal("STOP");
      long stopped = System.nanoTime();
      Thread.sleep(1_000);
      high.signal("CONT");
      long goesOn = System.nanoTime();
      Thread.sleep(1_000);
      DeviceTrace trace = machine.trace();
      assertThat(trace.between(stopped + 500 * MILLI, goesOn).percentOf(low))
          .isGreaterThan(ALMOST_ALL);
      assertThat(trace.between(goesOn + 500 * MILLI, Long.MAX_VALUE).percentOf(high))
          .isGreaterThan(ALMOST_ALL);
      assertThat(low.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void aStoppedDaemonHoldsNobodyBack() throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      Load high = load(machine, "high").priority(10).start();
      daemon.awaitPrograms(2);
      signal(daemon.pid(), "STOP");
      long stopped = System.nanoTime();
      Thread.sleep(2_000);
      signal(daemon.pid(), "CONT");
      long goesOn = System.nanoTime();
      Thread.sleep(1_500);
      DeviceTrace trace = machine.trace();
      assertThat(trace.between(stopped + 1_000 * MILLI, goesOn).percentOf(low))
          .as("low while the daemon is stopped")
          .isBetween(20.0, 80.0);
      assertThat(trace.between(goesOn + 500 * MILLI, Long.MAX_VALUE).percentOf(high))
          .as("high after the daemon goes on")
          .isGreaterThan(ALMOST_ALL);
      assertThat(low.end().exactlyOnce()).isTrue();
      assertThat(high.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void nobodyPaysForWhatTheyUsedWhileTheDaemonWasStopped() throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "UP");
      List<Load> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(load(machine, "load" + i).start());
      }
      daemon.awaitPrograms(4);
      Thread.sleep(300);
      signal(daemon.pid(), "STOP");
      Thread.sleep(1_500);
      signal(daemon.pid(), "CONT");
      Thread.sleep(100);
      long from = System.nanoTime();
      Thread.sleep(1_000);
      DeviceTrace trace = machine.trace().between(from, System.nanoTime());
      // One of them had its gate open for all of the 1.5 s, and would now wait for 4.5 s.
      assertThat(all).allSatisfy(load -> assertThat(trace.percentOf(load)).isGreaterThan(10));
    }
  }

  @Test
  void aDaemonWhoseLogIsFullGoesOn() throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemonWithFullLog("--policy", "HPF");
      Load low = load(machine, "low").priority(0).start();
      // What the daemon complains about within a second, where it can.
      Load villain = load(machine, "villain").with("misbehave", "garbage-board").start();
      daemon.awaitPrograms(2);
      Thread.sleep(2_000);
      villain.end();
      Load high = load(machine, "high").priority(10).start();
      daemon.awaitPrograms(2);
      long highRuns = System.nanoTime();
      Thread.sleep(1_000);
      assertThat(machine.trace().between(highRuns, Long.MAX_VALUE).percentOf(high))
          .isGreaterThan(DeviceTrace.ALMOST_ALL);
      assertThat(daemon.alive()).isTrue();
      assertThat(low.end().exactlyOnce()).isTrue();
      assertThat(high.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void aForkedChildIsAProgramOfItsOwn() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon();
      Load parent = load(machine, "family").with("fork").start();
      DaemonState state = machine.daemon().awaitPrograms(2);
      assertThat(state.programs()).extracting(ProgramState::name).containsOnly("family");
      assertThat(state.programs()).extracting(ProgramState::pid).doesNotHaveDuplicates();
      parent.end();
      machine.daemon().await("all gone", s -> s.programs().isEmpty());
    }
  }

  @Test
  void execIsANewGenerationOfTheSameProcess() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon();
      Load load = load(machine, "twice").with("exec-self").start();
      DaemonState state =
          machine
              .daemon()
              .await(
                  "the second generation",
                  s -> s.programs().size() == 1 && s.programs().getFirst().generation() == 2);
      assertThat(state.programs().getFirst().pid()).isEqualTo(load.pid());
      assertThat(load.end().exactlyOnce()).isTrue();
    }
  }

  private static Load.Builder load(Machine machine, String name) {
    return machine.load(name).with("command-us", 500).with("window", 4).with("seconds", 60);
  }

  private static void signal(long pid, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(pid)).start().waitFor();
  }

  private static void assertHint(
      DaemonState state, String program, String hint, long value, String source) {
    Map<String, DaemonState.HintState> hints =
        state.programs().stream()
            .filter(p -> p.name().equals(program))
            .findFirst()
            .orElseThrow()
            .queues()
            .getFirst()
            .hints();
    assertThat(hints.get(hint)).isEqualTo(new DaemonState.HintState(value, source));
  }
}
