package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Programs that use OpenCL and know nothing of XSched, on the OpenCL that is installed. */
class UnmodifiedProgramsTest {
  private static final String PYTHON = "/usr/bin/python3";

  /** Percent of all commands. Who is first leaves gaps between one batch and the next. */
  private static final double ALMOST_ALL = 75;

  @Test
  void resultsAreTheSameToTheBit() throws Exception {
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      startWarmDaemon(machine);
      for (String name : List.of("batch", "graph", "chains", "service", "launches")) {
        assertSameResults(machine, OpenClProgram.own(name), "--requests", "6", "--work", "2000");
      }
    }
  }

  @Test
  void resultsOfAPythonProgramAreTheSame() throws Exception {
    assumeTrue(
        Files.isExecutable(Path.of(PYTHON))
            && Shell.run(PYTHON, "-c", "import pyopencl").exitCode() == 0,
        "skipped: no pyopencl; apt-get install python3-pyopencl");
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      startWarmDaemon(machine);
      assertSameResults(machine, PYTHON, "src/test/python/steps.py");
    }
  }

  /** A JVM's first answer may take longer than a program waits for it, which then says so. */
  private static void startWarmDaemon(Machine machine) throws Exception {
    machine.startDaemon("--policy", "HPF");
    new OpenClProgram.Builder(machine, OpenClProgram.own("launches"))
        .with("requests", 1)
        .scheduled("first", 0)
        .start()
        .await();
  }

  /** Two at once under the scheduler, that hold each other back, and one without it. */
  private static void assertSameResults(Machine machine, String... command) throws Exception {
    OpenClProgram.Result alone = new OpenClProgram.Builder(machine, command).start().await();
    OpenClProgram high = new OpenClProgram.Builder(machine, command).scheduled("h", 10).start();
    OpenClProgram low = new OpenClProgram.Builder(machine, command).scheduled("l", 0).start();
    for (OpenClProgram.Result result : List.of(high.await(), low.await())) {
      assertThat(result.errors()).isEqualTo(alone.errors());
      assertThat(result.exitCode()).isZero();
      assertThat(result.word("hash")).as(List.of(command).toString()).isEqualTo(alone.word("hash"));
    }
  }

  @Test
  void debiansOwnProgramsRunAsEver() throws Exception {
    assumeTrue(
        Shell.run("sh", "-c", "command -v clinfo && command -v clpeak").exitCode() == 0,
        "skipped: apt-get install clinfo clpeak");
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      startWarmDaemon(machine);
      OpenClProgram other = continuous(machine, "other", 5);
      machine.daemon().awaitPrograms(1);
      OpenClProgram.Result info = new OpenClProgram.Builder(machine, "clinfo").start().await();
      assertThat(new OpenClProgram.Builder(machine, "clinfo").scheduled("info", 0).start().await())
          .isEqualTo(info);
      OpenClProgram.Result peak =
          new OpenClProgram.Builder(machine, "clpeak", "--kernel-latency")
              .scheduled("peak", 10)
              .start()
              .await();
      assertThat(peak.exitCode()).isZero();
      assertThat(peak.errors()).isEmpty();
      assertThat(peak.text()).contains("Platform:", "Device:", "Kernel launch latency :");
      other.kill();
    }
  }

  @Test
  void aHintSwapsThemAndTheNextDaemonKnows() throws Exception {
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      DaemonProcess first = machine.startDaemon("--policy", "HPF");
      continuous(machine, "a", 10);
      continuous(machine, "b", 0);
      first.awaitPrograms(2);
      awaitShare(first, "a", "a was started with the higher priority");
      assertThat(listed(machine)).contains("\"name\":\"a\"", "\"name\":\"b\"", "\"launched\":");
      first.hint("b", "priority", 20);
      awaitShare(first, "b", "b was given a higher one");
      first.kill();
      DaemonProcess second = machine.startDaemon();
      second.awaitPrograms(2);
      awaitShare(second, "b", "the next daemon knows");
    }
  }

  @Test
  void theDeathOfEitherFreesTheOther() throws Exception {
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = continuous(machine, "low", 0);
      OpenClProgram high = continuous(machine, "high", 10);
      daemon.awaitPrograms(2);
      awaitShare(daemon, "high", "it has the higher priority");
      high.kill();
      daemon.awaitPrograms(1);
      awaitProgress(daemon, "low");
      high = continuous(machine, "high", 10);
      daemon.awaitPrograms(2);
      low.kill();
      daemon.awaitPrograms(1);
      awaitProgress(daemon, "high");
      high.kill();
      daemon.await("all gone", s -> s.programs().isEmpty());
    }
  }

  @Test
  void programsRunOnWhileThereIsNoDaemon() throws Exception {
    try (Machine machine = Machine.create()) {
      OpenClProgram.assumeOpenCl(machine);
      DaemonProcess first = machine.startDaemon("--policy", "HPF");
      List<OpenClProgram> all =
          List.of(continuous(machine, "low", 0), continuous(machine, "high", 10));
      DaemonState before = first.awaitPrograms(2);
      first.kill();
      Thread.sleep(1_000);
      DaemonState after = machine.startDaemon().awaitPrograms(2);
      // By what they themselves have counted, in memory of their own.
      assertThat(grown(before, after, "low")).isPositive();
      assertThat(grown(before, after, "high")).isPositive();
      for (OpenClProgram program : all) {
        program.kill();
        // Each of the two lines at most once: it may be back before anybody has noticed.
        assertThat(program.errors().lines())
            .doesNotHaveDuplicates()
            .allMatch(line -> line.matches("xsched: (the daemon is gone|no daemon at ).*"));
      }
    }
  }

  private static OpenClProgram continuous(Machine machine, String name, int priority)
      throws Exception {
    return new OpenClProgram.Builder(machine, OpenClProgram.own("batch"))
        .with("seconds", 60)
        .with("kernels", 50)
        .with("work", 4_000)
        .scheduled(name, priority)
        .start();
  }

  /** Waits until it gets almost all of the device: by what was executed, not by time. */
  private static void awaitShare(DaemonProcess daemon, String name, String why) throws Exception {
    double share = 0;
    for (int tries = 0; tries < 20 && share < ALMOST_ALL; tries++) {
      DaemonState before = daemon.state();
      Thread.sleep(400);
      DaemonState after = daemon.state();
      long all = 0;
      for (ProgramState program : before.programs()) {
        all += grown(before, after, program.name());
      }
      share = all == 0 ? 0 : 100.0 * grown(before, after, name) / all;
    }
    assertThat(share)
        .as("percent of all commands that are of %s: %s", name, why)
        .isGreaterThan(ALMOST_ALL);
  }

  private static void awaitProgress(DaemonProcess daemon, String name) throws Exception {
    DaemonState before = daemon.state();
    daemon.await(name + " goes on", state -> grown(before, state, name) > 100);
  }

  private static long grown(DaemonState before, DaemonState after, String name) {
    return completed(after, name) - completed(before, name);
  }

  private static long completed(DaemonState state, String name) {
    return state.programs().stream()
        .filter(p -> p.name().equals(name))
        .flatMap(p -> p.queues().stream())
        .mapToLong(QueueState::completed)
        .sum();
  }

  /** What the command line says. */
  private static String listed(Machine machine) throws Exception {
    return Shell.run(
            Map.of("XSCHED_DIR", machine.folder().toString()),
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.xsched.cli.Main",
                "list",
                "--json"))
        .text()
        .replaceAll("\\s", "");
  }
}
