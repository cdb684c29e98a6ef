package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs whose queues are taken off an AMD GPU, which only they themselves can do. Runtime and
 * kernel are stand-ins; they fail the program if a queue is ever updated in a wrong way.
 */
class AmdInterruptsTest {
  private static final Path STANDINS =
      Path.of("../native/target/test/amd").toAbsolutePath().normalize();
  private static final String OFF = "off 4\n";
  private static final String ON = "off 0\n";

  @BeforeEach
  void needsStandIns() {
    assumeTrue(
        Files.isExecutable(STANDINS.resolve("program")),
        "skipped: make -C native tests was not run");
  }

  @Test
  void theProgramUndoesItWhenTheDaemonIsKilled() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = new Interrupter(machine, Map.of());
      OpenClProgram program = program(machine, "low", 0, false, 4);
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
      assertThat(result.text()).isEqualTo((OFF + ON).repeat(2));
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  @Test
  void aDaemonThatWasStoppedDoesItAnew() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = new Interrupter(machine, Map.of());
      OpenClProgram program = program(machine, "low", 0, false, 4);
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoHasPriorityHasTheOthersQueuesTakenOff(boolean mes) throws Exception {
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = program(machine, "low", 0, mes, 2);
      daemon.await("it offers level 3", state -> queue(state, "low").isPresent());
      OpenClProgram high = program(machine, "high", 10, mes, 100);
      low.awaitOutput("the low one's queues are off", OFF);
      daemon.await(
          "the daemon says so",
          state -> queue(state, "low").filter(q -> q.interrupted().equals("here")).isPresent());
      high.kill();
      OpenClProgram.Result result = low.await();
      assertThat(result.text()).isEqualTo(OFF + ON);
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  private static OpenClProgram program(
      Machine machine, String name, int priority, boolean mes, int changes) throws Exception {
    return new OpenClProgram.Builder(
            machine,
            "env",
            mes ? "XSCHED_TEST_KFD_MES=1" : "--unset=XSCHED_TEST_KFD_MES",
            "XSCHED_TEST_KFD=" + machine.folder().resolve("kfd"),
            "XSCHED_TEST_HIP_NANOS=20000000",
            STANDINS.resolve("program").toString(),
            String.valueOf(changes))
        .scheduled(name, priority)
        .start();
  }

  private static Optional<QueueState> queue(DaemonState state, String name) {
    return state.programs().stream()
        .filter(program -> program.name().equals(name))
        .flatMap(program -> program.queues().stream())
        .filter(queue -> queue.levels().contains(3))
        .findFirst();
  }
}
