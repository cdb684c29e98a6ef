package dev.xsched.e2e;

import static dev.xsched.e2e.DeviceTrace.ALMOST_ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.xsched.daemon.api.DaemonState;
import dev.xsched.daemon.api.DaemonState.ProgramState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A program in a container: namespaces of its own for pids, IPC, network and mounts, a root of its
 * own, and in common with the world outside only the daemon's folder, in which the device is, too.
 */
class NamespacesTest {
  private static final long MILLI = 1_000_000;

  private static final List<String> CONTAINER =
      List.of("unshare", "--pid", "--ipc", "--net", "--mount", "--fork", "--kill-child");

  /** As the device sees it: the first process in its namespace. */
  private static final int PID_INSIDE = 1;

  @BeforeEach
  void isPermitted() throws Exception {
    List<String> command = new ArrayList<>(CONTAINER);
    command.add("true");
    Shell.Answer answer = Shell.run(command.toArray(String[]::new));
    assumeTrue(answer.exitCode() == 0, "namespaces are not permitted: " + answer.text());
  }

  @Test
  void highInsidePreemptsLowOutside() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Load low = outside(machine, "low").priority(0).start();
      machine.daemon().awaitPrograms(1);
      inside(machine, "high").priority(10).start();
      DaemonState state = machine.daemon().awaitPrograms(2);
      Thread.sleep(100);
      long from = System.nanoTime();
      Thread.sleep(1_000);
      long to = System.nanoTime();
      assertThat(machine.trace().between(from, to).percentOf(PID_INSIDE)).isGreaterThan(ALMOST_ALL);
      // The daemon knows the process by the number that it has out here.
      Shell.run("kill", "-KILL", String.valueOf(pidOf(state, "high")));
      long killed = System.nanoTime();
      machine.daemon().awaitPrograms(1);
      assertThat(System.nanoTime() - killed).as("until it was noticed").isLessThan(500 * MILLI);
      Thread.sleep(300);
      long next =
          machine.trace().of(low).between(killed, Long.MAX_VALUE).runs().getFirst().startNanos();
      assertThat(next - killed).as("until low goes on").isLessThan(200 * MILLI);
      assertThat(low.end().exactlyOnce()).isTrue();
    }
  }

  @Test
  void highOutsidePreemptsLowInside() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Load low = inside(machine, "low").priority(0).start();
      machine.daemon().awaitPrograms(1);
      Load high = outside(machine, "high").priority(10).start();
      DaemonState state = machine.daemon().awaitPrograms(2);
      Thread.sleep(100);
      long from = System.nanoTime();
      Thread.sleep(1_000);
      long to = System.nanoTime();
      high.end();
      Thread.sleep(500);
      assertThat(machine.trace().between(from, to).percentOf(high)).isGreaterThan(ALMOST_ALL);
      assertThat(machine.trace().between(to + 200 * MILLI, Long.MAX_VALUE).percentOf(PID_INSIDE))
          .as("low after high has gone")
          .isGreaterThan(ALMOST_ALL);
      Shell.run("kill", "-TERM", String.valueOf(pidOf(state, "low")));
      Load.Result result = low.await();
      assertThat(result.exactlyOnce()).isTrue();
      assertThat(result.registered()).isTrue();
    }
  }

  @Test
  void aDaemonThatCannotSeeTheProcessesSchedulesThemAllTheSame() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemonUnder(
          List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc"), "--policy", "HPF");
      Load low = outside(machine, "low").priority(0).start();
      machine.daemon().awaitPrograms(1);
      Load high = outside(machine, "high").priority(10).start();
      DaemonState state = machine.daemon().awaitPrograms(2);
      assertThat(state.programs()).extracting(ProgramState::pid).containsOnly(0L);
      Thread.sleep(100);
      long from = System.nanoTime();
      Thread.sleep(500);
      machine.daemon().hint("low", "priority", 20);
      long swapped = System.nanoTime();
      Thread.sleep(500);
      long killed = System.nanoTime();
      low.signal("KILL");
      machine.daemon().awaitPrograms(1);
      Thread.sleep(300);
      DeviceTrace trace = machine.trace();
      assertThat(trace.between(from, swapped - 50 * MILLI).percentOf(high))
          .isGreaterThan(ALMOST_ALL);
      assertThat(trace.between(swapped + 50 * MILLI, killed).percentOf(low))
          .isGreaterThan(ALMOST_ALL);
      assertThat(trace.of(high).between(killed, Long.MAX_VALUE).size()).isGreaterThan(50);
      assertThat(high.end().exactlyOnce()).isTrue();
      // What was said to one program without a number must not be said to the next.
      Load next = outside(machine, "next").start();
      machine.daemon().await("next alone", s -> s.programs().size() == 1);
      state = machine.daemon().awaitPrograms(1);
      assertThat(state.programs().getFirst().queues().getFirst().hints())
          .containsEntry("priority", new DaemonState.HintState(0L, "default"));
      assertThat(next.end().exactlyOnce()).isTrue();
    }
  }

  private static Load.Builder outside(Machine machine, String name) {
    return machine.load(name).with("command-us", 500).with("window", 4).with("seconds", 60);
  }

  private static Load.Builder inside(Machine machine, String name) throws Exception {
    Path root = Files.createDirectory(machine.folder().resolve("root-" + name));
    Shell.copyInto(root, Load.PROGRAM);
    for (Path library : Shell.librariesOf(Load.PROGRAM)) {
      Shell.copyInto(root, library);
    }
    Path shared = root.resolve(Path.of("/").relativize(machine.folder()));
    Files.createDirectories(shared);
    String script =
        "mount --bind %s %s && exec chroot %s \"$@\"".formatted(machine.folder(), shared, root);
    List<String> command = new ArrayList<>(CONTAINER);
    command.addAll(List.of("sh", "-c", script, "container"));
    return outside(machine, name).under(command.toArray(String[]::new));
  }

  private static long pidOf(DaemonState state, String name) {
    return state.programs().stream()
        .filter(p -> p.name().equals(name))
        .findFirst()
        .orElseThrow()
        .pid();
  }
}
