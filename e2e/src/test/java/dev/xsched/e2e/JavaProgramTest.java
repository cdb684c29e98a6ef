package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A Java program and a C program under one daemon: the same orders hold for both. */
class JavaProgramTest {
  private static final long MILLI = 1_000_000;

  @Test
  void javaAndCAreScheduledAlike() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Process java = startJava(machine, 5);
      machine.closeLater(java::destroyForcibly);
      machine.daemon().awaitPrograms(1);
      Thread.sleep(500);
      long cComes = System.nanoTime();
      Load c =
          machine
              .load("c")
              .with("command-us", 500)
              .with("window", 4)
              .with("seconds", 60)
              .priority(10)
              .start();
      machine.daemon().awaitPrograms(2);
      long cRuns = System.nanoTime();
      Thread.sleep(1_500);
      machine.daemon().hint("java-load", "priority", 20);
      long javaRuns = System.nanoTime();
      Thread.sleep(1_500);
      long end = System.nanoTime();
      DeviceTrace trace = machine.trace();
      assertThat(trace.between(cComes - 400 * MILLI, cComes).percentOf(java.pid()))
          .as("Java alone")
          .isEqualTo(100);
      assertThat(trace.between(cRuns + 50 * MILLI, javaRuns - 50 * MILLI).percentOf(c))
          .as("C with the higher priority")
          .isGreaterThan(95);
      assertThat(trace.between(javaRuns + 50 * MILLI, end).percentOf(java.pid()))
          .as("Java, whose priority was raised")
          .isGreaterThan(95);
      java.getOutputStream().close();
      assertThat(java.waitFor(30, TimeUnit.SECONDS)).as("the Java program ends").isTrue();
      assertThat(java.exitValue()).isZero();
      machine.daemon().awaitPrograms(1);
      assertThat(c.end().exactlyOnce()).isTrue();
    }
  }

  private static Process startJava(Machine machine, int priority) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "dev.xsched.e2e.JavaLoad",
            "shared:" + machine.device(),
            String.valueOf(priority));
    builder.environment().put("XSCHED_DIR", machine.folder().toString());
    builder.environment().put("XSCHED_NAME", "java-load");
    builder.redirectErrorStream(true);
    builder.redirectOutput(machine.folder().resolve("java.out").toFile());
    return builder.start();
  }
}
