package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The process that interrupts: a daemon that decides nothing. */
final class Interrupter {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Process process;
  private final Writer orders;
  private final Path output;

  /**
   * Starts it.
   *
   * @param environment in which it finds a stand-in for a driver, or none
   */
  Interrupter(Machine machine, Map<String, String> environment) throws IOException {
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
    builder.environment().putAll(environment);
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
    Shell.Answer answer = Shell.run("kill", "-" + name, String.valueOf(process.pid()));
    assertThat(answer.exitCode()).as(answer.text()).isZero();
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
