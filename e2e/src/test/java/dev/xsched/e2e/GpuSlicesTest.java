package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import dev.xsched.daemon.api.MechanismChange;
import dev.xsched.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two programs on a GPU whose driver offers time slices. Driver and kernel are stand-ins: this is
 * about daemon and programs, not about what a GPU makes of it.
 */
class GpuSlicesTest {
  private static final Path PROGRAM =
      Path.of("../native/target/test/nvidia/program").toAbsolutePath().normalize();

  private static final String EXPECTED = "the GPU turns to it before its requests come";

  @Test
  void slicesFollowWhoIsThereAndEndWithTheDaemon() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "skipped: make -C native tests was not run");
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = start(machine, "low", 0, 4);
      daemon.await("it offers level 3", state -> queue(state, "low", 0).isPresent());
      OpenClProgram high = startHigh(machine);
      DaemonState inForce = daemon.await("slices are in force", GpuSlicesTest::areInForce);
      assertThat(daemon.text("/metrics"))
          .containsPattern(
              "xsched_queue_mechanism\\{.*mechanism=\"slices\".*program=\"low\".*} 1\n")
          .containsPattern("xsched_queue_slice_seconds\\{.*program=\"low\".*} 0.000001\n")
          .containsPattern("xsched_queue_slice_orders_total\\{.*program=\"low\".*} 1\n");
      assertThat(changes(daemon, queue(inForce, "low", 1).orElseThrow().id()))
          .startsWith("gate 0: nobody on the device is ranked higher than others")
          .endsWith("slices 1: the highest rank preempts by time slices")
          .containsOnlyOnce("slices 1: the highest rank preempts by time slices");
      low.awaitOutput("it has that slice", "slice 1\n");
      high.kill();
      daemon.await("the driver has it again", state -> queue(state, "low", 0).isPresent());
      low.awaitOutput("it has the driver's slice", "slice 1\nslice 2048\n");
      startHigh(machine);
      daemon.await("slices are in force again", GpuSlicesTest::areInForce);
      daemon.kill();
      OpenClProgram.Result result = low.await();
      assertThat(result.text()).isEqualTo("slice 1\nslice 2048\nslice 1\nslice 2048\n");
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  @Test
  void slicesOnOneGpuLeaveTheOtherAlone() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "skipped: make -C native tests was not run");
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = start(machine, "low", 0, 2, 2);
      daemon.await("it has two GPUs", state -> mechanisms(state, "low").size() == 2);
      OpenClProgram high = startHigh(machine);
      daemon.await(
          "slices on one",
          state -> areInForce(state) && mechanisms(state, "low").equals(List.of("slices", "gate")));
      low.awaitOutput("it has that slice", "slice 1\n");
      high.kill();
      OpenClProgram.Result result = low.await();
      assertThat(result.text()).isEqualTo("slice 1\nslice 2048\n");
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  @Test
  void theGpuTurnsToWhoIsExpected() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "skipped: make -C native tests was not run");
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = start(machine, "low", 0, 100);
      OpenClProgram high = start(machine, "high", 10, 100, 1, 40);
      DaemonState turning =
          daemon.await(
              "the GPU turns to it early",
              state ->
                  queue(state, "high", 1_000_000)
                      .filter(q -> q.earlyTurns() > 2 && q.reason().endsWith(EXPECTED))
                      .isPresent());
      assertThat(queue(turning, "low", 1).orElseThrow().earlyTurns()).isZero();
      low.kill();
      high.kill();
    }
  }

  /** One that waits so seldom that nobody is interrupted for its sake. */
  private static OpenClProgram startHigh(Machine machine) throws Exception {
    return start(machine, "high", 10, 100, 1, 200);
  }

  private static OpenClProgram start(Machine machine, String name, int priority, int... numbers)
      throws Exception {
    List<String> command = new ArrayList<>(List.of(PROGRAM.toString(), "slices"));
    IntStream.of(numbers).mapToObj(String::valueOf).forEach(command::add);
    return new OpenClProgram.Builder(machine, command.toArray(String[]::new))
        .scheduled(name, priority)
        .start();
  }

  private static List<String> changes(DaemonProcess daemon, long queue) throws Exception {
    byte[] json = daemon.text("/api/v1/changes").getBytes(StandardCharsets.UTF_8);
    return Stream.of(Json.read(json, MechanismChange[].class))
        .filter(change -> change.queue() == queue)
        .map(c -> "%s %d: %s".formatted(c.mechanism(), c.sliceMicros(), c.reason()))
        .toList();
  }

  /** Of a program's queues, in the order of their places. */
  private static List<String> mechanisms(DaemonState state, String name) {
    return state.programs().stream()
        .filter(program -> program.name().equals(name))
        .flatMap(program -> program.queues().stream())
        .sorted(Comparator.comparingInt(QueueState::slot))
        .map(QueueState::mechanism)
        .toList();
  }

  private static boolean areInForce(DaemonState state) {
    return queue(state, "low", 1).isPresent() && queue(state, "high", 1_000_000).isPresent();
  }

  /** The queue of a program of level 3 with that slice, its gate open. */
  private static Optional<QueueState> queue(DaemonState state, String name, long sliceMicros) {
    return state.programs().stream()
        .filter(program -> program.name().equals(name))
        .flatMap(program -> program.queues().stream())
        .filter(queue -> queue.levels().contains(3) && queue.gateOpen())
        .filter(queue -> queue.sliceMicros() == sliceMicros)
        .findFirst();
  }
}
