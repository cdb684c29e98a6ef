package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.QueueState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Two programs on a GPU whose driver offers time slices. Driver and kernel are stand-ins: this is
 * about daemon and programs, not about what a GPU makes of it.
 */
class GpuSlicesTest {
  private static final Path PROGRAM =
      Path.of("../native/target/test/nvidia/program").toAbsolutePath().normalize();

  @Test
  void slicesFollowWhoIsThereAndEndWithTheDaemon() throws Exception {
    assumeTrue(Files.isExecutable(PROGRAM), "skipped: make -C native tests was not run");
    try (Machine machine = Machine.create()) {
      DaemonProcess daemon = machine.startDaemon("--policy", "HPF");
      OpenClProgram low = start(machine, "low", 0, 4);
      daemon.await("it offers level 3", state -> queue(state, "low", 0).isPresent());
      OpenClProgram high = start(machine, "high", 10, 100);
      daemon.await("slices are in force", GpuSlicesTest::areInForce);
      high.kill();
      daemon.await("the driver has it again", state -> queue(state, "low", 0).isPresent());
      start(machine, "high", 10, 100);
      daemon.await("slices are in force again", GpuSlicesTest::areInForce);
      daemon.kill();
      OpenClProgram.Result result = low.await();
      assertThat(result.text()).isEqualTo("slice 1\nslice 2048\nslice 1\nslice 2048\n");
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  private static OpenClProgram start(Machine machine, String name, int priority, int changes)
      throws Exception {
    return new OpenClProgram.Builder(machine, PROGRAM.toString(), String.valueOf(changes))
        .scheduled(name, priority)
        .start();
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
