package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A program whose work is taken off the GPU, by the daemon's own hands or by the program's. Driver
 * and kernel are stand-ins; they fail the program if a channel is ever disabled twice.
 */
class GpuInterruptsTest {
  private static final Path STANDINS =
      Path.of("../native/target/test/nvidia").toAbsolutePath().normalize();
  private static final String OFF = "disabled 8\n";
  private static final String OFF_AFTER_SLICE = "disabled 8, only their scheduling\n";
  private static final String ON = "disabled 0\n";

  @BeforeEach
  void needsStandIns() {
    assumeTrue(
        Files.isExecutable(STANDINS.resolve("program")),
        "skipped: make -C native tests was not run");
  }

  @Test
  void theDaemonDoesItAndTheProgramUndoesItWhenTheDaemonDies() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = interrupter(machine);
      OpenClProgram program = program(machine, 6, 1);
      daemon.order("interrupt");
      program.awaitOutput("off", OFF);
      daemon.await("interrupted BY_DAEMON");
      daemon.order("restore");
      program.awaitOutput("on", OFF + ON);
      daemon.order("interrupt");
      program.awaitOutput("off again", OFF + ON + OFF);
      daemon.kill();
      program.awaitOutput("the program went on by itself", OFF + ON + OFF + ON);
      Interrupter next = interrupter(machine);
      next.order("interrupt");
      program.awaitOutput("the next daemon does it", OFF + ON + OFF + ON + OFF);
      next.order("restore");
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(result.text()).isEqualTo((OFF + ON).repeat(3));
    }
  }

  @Test
  void aDaemonThatWasStoppedDoesItAnew() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = interrupter(machine);
      OpenClProgram program = program(machine, 4, 1);
      daemon.order("interrupt");
      program.awaitOutput("off", OFF);
      daemon.signal("STOP");
      program.awaitOutput("the program went on by itself", OFF + ON);
      daemon.signal("CONT");
      program.awaitOutput("off again", OFF + ON + OFF);
      daemon.end();
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  @Test
  void theProgramDoesItWhereTheDaemonFindsNoDriver() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = new Interrupter(machine, Map.of());
      OpenClProgram program = program(machine, 4, 1);
      daemon.order("interrupt");
      program.awaitOutput("off", OFF);
      daemon.await("interrupted HERE");
      daemon.order("restore");
      program.awaitOutput("on", OFF + ON);
      daemon.await("restored");
      daemon.order("interrupt");
      program.awaitOutput("off again", OFF + ON + OFF);
      daemon.kill();
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(daemon.output()).containsOnlyOnce("NVIDIA's driver is not loaded");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nobodyIsPreemptedWhereAShortSliceIsInForce(boolean byDaemon) throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = byDaemon ? interrupter(machine) : new Interrupter(machine, Map.of());
      OpenClProgram program = program(machine, 4, 1);
      daemon.order("interrupt");
      program.awaitOutput("off", OFF);
      daemon.await("interrupted");
      daemon.order("restore");
      daemon.await("restored");
      program.awaitOutput("on", OFF + ON);
      daemon.order("slice");
      daemon.await("slice 1");
      daemon.order("interrupt");
      program.awaitOutput("off", OFF + ON + OFF_AFTER_SLICE);
      daemon.order("restore");
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(daemon.output()).contains(byDaemon ? "interrupted BY_DAEMON" : "interrupted HERE");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void workOnAnotherGpuGoesOn(boolean byDaemon) throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = byDaemon ? interrupter(machine) : new Interrupter(machine, Map.of());
      OpenClProgram program = program(machine, 4, 2);
      for (String output : List.of(OFF, OFF + ON + OFF)) {
        daemon.order("interrupt");
        program.awaitOutput("off one of them", output);
        daemon.await("interrupted"); // An order that came before its answer would replace it.
        daemon.order("restore");
        program.awaitOutput("on", output + ON);
      }
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(daemon.output()).contains(byDaemon ? "interrupted BY_DAEMON" : "interrupted HERE");
    }
  }

  private static OpenClProgram program(Machine machine, int changes, int gpus) throws Exception {
    return new OpenClProgram.Builder(
            machine,
            "env",
            "XSCHED_TEST_RM=" + machine.folder().resolve("rm"),
            STANDINS.resolve("program").toString(),
            "channels",
            String.valueOf(changes),
            String.valueOf(gpus))
        .scheduled("low", 0)
        .start();
  }

  private static Interrupter interrupter(Machine machine) throws IOException {
    return new Interrupter(
        machine,
        Map.of(
            "LD_PRELOAD", STANDINS.resolve("libnvrm.so").toString(),
            "XSCHED_TEST_RM", machine.folder().resolve("rm").toString()));
  }
}
