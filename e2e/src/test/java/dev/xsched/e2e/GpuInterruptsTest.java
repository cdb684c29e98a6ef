package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A program whose work is taken off the GPU, by the daemon's own hands or by the program's. Driver
 * and kernel are stand-ins; they fail the program if a channel is ever disabled twice.
 */
class GpuInterruptsTest {
  private static final Path STANDINS =
      Path.of("../native/target/test/nvidia").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String OFF = "disabled 8\n";
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
      Interrupter daemon = new Interrupter(machine, true);
      OpenClProgram program = program(machine, 6);
      daemon.order("interrupt");
      await("off", program, OFF);
      daemon.await("interrupted BY_DAEMON");
      daemon.order("restore");
      await("on", program, OFF + ON);
      daemon.order("interrupt");
      await("off again", program, OFF + ON + OFF);
      daemon.kill();
      await("the program went on by itself", program, OFF + ON + OFF + ON);
      Interrupter next = new Interrupter(machine, true);
      next.order("interrupt");
      await("the next daemon does it", program, OFF + ON + OFF + ON + OFF);
      next.order("restore");
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(result.text()).isEqualTo((OFF + ON).repeat(3));
    }
  }

  @Test
  void aDaemonThatWasStoppedDoesItAnew() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = new Interrupter(machine, true);
      OpenClProgram program = program(machine, 4);
      daemon.order("interrupt");
      await("off", program, OFF);
      daemon.signal("STOP");
      await("the program went on by itself", program, OFF + ON);
      daemon.signal("CONT");
      await("off again", program, OFF + ON + OFF);
      daemon.end();
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
    }
  }

  @Test
  void theProgramDoesItWhereTheDaemonFindsNoDriver() throws Exception {
    try (Machine machine = Machine.create()) {
      Interrupter daemon = new Interrupter(machine, false);
      OpenClProgram program = program(machine, 4);
      daemon.order("interrupt");
      await("off", program, OFF);
      daemon.await("interrupted HERE");
      daemon.order("restore");
      await("on", program, OFF + ON);
      daemon.await("restored");
      daemon.order("interrupt");
      await("off again", program, OFF + ON + OFF);
      daemon.kill();
      OpenClProgram.Result result = program.await();
      assertThat(result.exitCode()).as(result.errors()).isZero();
      assertThat(daemon.output()).containsOnlyOnce("NVIDIA's driver is not loaded");
    }
  }

  private static OpenClProgram program(Machine machine, int changes) throws Exception {
    return new OpenClProgram.Builder(
            machine,
            "env",
            "XSCHED_TEST_RM=" + machine.folder().resolve("rm"),
            STANDINS.resolve("program").toString(),
            String.valueOf(changes))
        .scheduled("low", 0)
        .start();
  }

  private static void await(String what, OpenClProgram program, String output) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!program.output().equals(output)) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "it never came to this: %s\n%s\n%s"
                .formatted(what, program.output(), program.errors()));
      }
      Thread.sleep(5);
    }
  }

  /** The process that interrupts. */
  private static final class Interrupter {
    private final Process process;
    private final Writer orders;
    private final Path output;

    Interrupter(Machine machine, boolean hasDriver) throws IOException {
      output = Files.createTempFile(machine.outputs(), "interrupter-", ".out");
      ProcessBuilder builder =
          new ProcessBuilder(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-XX:+UseSerialGC",
                  "-Xmx128m",
                  "-cp",
                  System.getProperty("java.class.path"),
                  "dev.xsched.daemon.InterruptingDaemon",
                  machine.folder().toString()));
      if (hasDriver) {
        builder.environment().put("LD_PRELOAD", STANDINS.resolve("libnvrm.so").toString());
        builder.environment().put("XSCHED_TEST_RM", machine.folder().resolve("rm").toString());
      }
      builder.redirectErrorStream(true);
      builder.redirectOutput(output.toFile());
      process = builder.start();
      orders = process.outputWriter(StandardCharsets.UTF_8);
      machine.closeLater(process::destroyForcibly);
    }

    void order(String text) throws IOException {
      orders.write(text + "\n");
      orders.flush();
    }

    String output() throws IOException {
      return Files.readString(output);
    }

    void await(String text) throws Exception {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!output().contains(text)) {
        if (System.nanoTime() > end) {
          throw new AssertionError("it never said %s: %s".formatted(text, output()));
        }
        Thread.sleep(5);
      }
    }

    void signal(String name) throws Exception {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
    }

    /** As the real one does when it is asked to stop. */
    void end() throws Exception {
      orders.close();
      process.waitFor();
    }

    void kill() throws Exception {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
