package dev.xsched.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A Java program and a C program under one daemon: the same orders hold for both. */
class JavaProgramTest {
  private static final long MILLI = 1_000_000;

  @Test
  void javaAndCAreScheduledAlike() throws Exception {
    try (Machine machine = Machine.create()) {
      machine.startDaemon("--policy", "HPF");
      Load java =
          machine
              .load("java")
              .program(JavaLoad.command())
              .with("command-us", 500)
              .environment("XSCHED_AUTO_XQUEUE_PRIORITY", 5)
              .start();
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
      machine.daemon().hint("java", "priority", 20);
      long javaRuns = System.nanoTime();
      Thread.sleep(1_500);
      long end = System.nanoTime();
      DeviceTrace trace = machine.trace();
      assertThat(trace.between(cComes - 400 * MILLI, cComes).percentOf(java))
          .as("Java alone")
          .isEqualTo(100);
      assertThat(trace.between(cRuns + 50 * MILLI, javaRuns - 50 * MILLI).percentOf(c))
          .as("C with the higher priority")
          .isGreaterThan(DeviceTrace.ALMOST_ALL);
      assertThat(trace.between(javaRuns + 50 * MILLI, end).percentOf(java))
          .as("Java, whose priority was raised")
          .isGreaterThan(DeviceTrace.ALMOST_ALL);
      assertThat(java.end().exactlyOnce()).isTrue();
      machine.daemon().awaitPrograms(1);
      assertThat(c.end().exactlyOnce()).isTrue();
    }
  }
}
